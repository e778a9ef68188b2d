# Connections by addresses of IP: installed programs of librdmacm. Sourced by ci/first-use.

connected() { # a message in each direction, equal on model and lockstep
  local model lockstep
  model=$("$memonet" verbs -- ucmatose : ucmatose -s 10.0.0.1 2>&1 >"$work/ucmatose" | tail -1)
  lockstep=$("$memonet" verbs --nic lockstep -- ucmatose : ucmatose -s 10.0.0.1 2>&1 >/dev/null | tail -1)
  [ "$(grep -c 'return status 0' "$work/ucmatose")" = 2 ] && [ "$model" = "$lockstep" ] && [[ $model == fingerprint* ]]
}

rejected() { # nobody listens on the port
  "$memonet" verbs --limit 20ms -- rdma_server : rping -c -a 10.0.0.1 -p 99 -C 1 >/dev/null 2>"$work/rejected"
  grep -q 'cma event RDMA_CM_EVENT_REJECTED, error 8' "$work/rejected"
}

lossy() { # lost datagrams of the handshake are sent again
  "$memonet" verbs --lose 5% -- ucmatose : ucmatose -s localhost >"$work/lossy" 2>&1 &&
    [ "$(grep -c 'return status 0' "$work/lossy")" = 2 ]
}

unreachable() { # the peer has no connection manager
  "$memonet" verbs -- true : rping -c -a 10.0.0.1 -C 1 >/dev/null 2>"$work/unreachable"
  grep -q 'cma event RDMA_CM_EVENT_UNREACHABLE, error -110' "$work/unreachable"
}

if command -v ucmatose >/dev/null; then
  case_of 61 "programs of librdmacm connect by addresses of IP" connected
  case_of 62 "a connection to a port without a listener is rejected" rejected
  case_of 63 "a lost handshake is repeated" lossy
  case_of 64 "a host without a connection manager is unreachable" unreachable
else
  echo "NOT RUN 61 to 64: there is no ucmatose (ci/install verbs)"
fi
