/* The connection manager by librdmacm: requests that are refused, rejected and accepted, a message to a shared receive
 * queue, the end, and calls with wrong values and in wrong states. `server` and `client`, on hosts 0 and 1. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { PORT = 7471, MESSAGE = 64 };

static struct rdma_event_channel *channel;

/* The next event, which has to be of this kind; the descriptor of the channel is readable before. */
static struct rdma_cm_event *next(enum rdma_cm_event_type kind, int status)
{
    struct pollfd poll_channel = {.fd = channel->fd, .events = POLLIN};
    CHECK(poll(&poll_channel, 1, 900) == 1);
    struct rdma_cm_event *event;
    CHECK(rdma_get_cm_event(channel, &event) == 0);
    if (event->event != kind || event->status != status) {
        fprintf(stderr, "%s, status %d\n", rdma_event_str(event->event), event->status);
        exit(99);
    }
    return event;
}

static void expect(enum rdma_cm_event_type kind, int status)
{
    CHECK(rdma_ack_cm_event(next(kind, status)) == 0);
}

static struct sockaddr_in address(uint32_t ip, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(ip);
    return address;
}

static int bind_to(struct rdma_cm_id *id, uint32_t ip, int port)
{
    struct sockaddr_in own = address(ip, port);
    return rdma_bind_addr(id, (struct sockaddr *)&own);
}

static struct rdma_cm_id *new_id(enum rdma_port_space space)
{
    struct rdma_cm_id *id;
    CHECK(rdma_create_id(channel, &id, NULL, space) == 0);
    return id;
}

/* Whether a call has failed with this error number. */
static int fails(int result, int number)
{
    return result == -1 && errno == number;
}

static void make_pair(struct rdma_cm_id *id)
{
    struct ibv_qp_init_attr wanted = {
        .cap = {.max_send_wr = 2, .max_recv_wr = 2, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
    CHECK(rdma_create_qp(id, NULL, &wanted) == 0);
}

static char memory[MESSAGE];

/* The only completion of a side. */
static void complete(struct ibv_cq *queue, enum ibv_wc_opcode operation)
{
    struct ibv_wc completion;
    while (ibv_poll_cq(queue, 1, &completion) == 0)
        ;
    CHECK(completion.status == IBV_WC_SUCCESS && completion.opcode == operation);
}

static void serve(void)
{
    struct rdma_cm_id *listener = new_id(RDMA_PS_TCP), *other = new_id(RDMA_PS_TCP);
    CHECK(fails(bind_to(other, 0x0a000002, PORT), EADDRNOTAVAIL));
    CHECK(bind_to(listener, INADDR_ANY, PORT) == 0);
    CHECK(fails(bind_to(other, INADDR_ANY, PORT), EADDRINUSE));
    CHECK(rdma_listen(listener, 4) == 0 && ntohs(rdma_get_src_port(listener)) == PORT);
    CHECK(fails(rdma_listen(listener, 4), EINVAL) && fails(bind_to(listener, INADDR_ANY, PORT + 1), EINVAL));
    CHECK(rdma_destroy_id(other) == 0);

    struct rdma_cm_event *event = next(RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    CHECK(event->listen_id == listener && strcmp(event->param.conn.private_data, "first") == 0);
    struct sockaddr_in *peer = (struct sockaddr_in *)rdma_get_peer_addr(event->id);
    CHECK(ntohl(peer->sin_addr.s_addr) == 0x0a000002);
    struct rdma_cm_id *refused = event->id;
    CHECK(rdma_reject(refused, "no", 3) == 0 && fails(rdma_reject(refused, NULL, 0), EINVAL));
    CHECK(rdma_ack_cm_event(event) == 0 && rdma_destroy_id(refused) == 0);

    event = next(RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    struct rdma_cm_id *id = event->id;
    struct ibv_srq_init_attr shared = {.attr = {.max_wr = 2, .max_sge = 1}};
    CHECK(rdma_create_srq(id, NULL, &shared) == 0);
    make_pair(id);
    struct ibv_mr *region = rdma_reg_msgs(id, memory, MESSAGE);
    CHECK(id->qp->srq == id->srq && region && rdma_post_recv(id, NULL, memory, MESSAGE, region) == 0);
    struct rdma_conn_param own = {.private_data = "welcome", .private_data_len = 8, .rnr_retry_count = 7};
    CHECK(rdma_accept(id, &own) == 0 && rdma_ack_cm_event(event) == 0);
    expect(RDMA_CM_EVENT_ESTABLISHED, 0);
    complete(id->recv_cq, IBV_WC_RECV);
    CHECK(strcmp(memory, "over the wire") == 0);
    expect(RDMA_CM_EVENT_DISCONNECTED, 0);
    CHECK(rdma_disconnect(id) == 0);
    rdma_destroy_qp(id);
    rdma_destroy_srq(id);
    CHECK(rdma_dereg_mr(region) == 0 && rdma_destroy_id(id) == 0 && rdma_destroy_id(listener) == 0);
}

static int resolve(struct rdma_cm_id *id, uint32_t ip, int port)
{
    struct sockaddr_in peer = address(ip, port);
    return rdma_resolve_addr(id, NULL, (struct sockaddr *)&peer, 100);
}

/* An id with a path to a port of host 0. */
static struct rdma_cm_id *reach(int port)
{
    struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
    CHECK(resolve(id, 0x0a000001, port) == 0);
    expect(RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(rdma_resolve_route(id, 100) == 0);
    expect(RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    CHECK(fails(rdma_resolve_route(id, 100), EINVAL));
    make_pair(id);
    return id;
}

static void destroy(struct rdma_cm_id *id)
{
    rdma_destroy_qp(id);
    CHECK(rdma_destroy_id(id) == 0);
}

static void use(void)
{
    struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
    CHECK(fails(resolve(id, 0xc0a80001, PORT), ENETUNREACH));
    double begin = now_us();
    CHECK(resolve(id, 0x0a000063, PORT) == 0);
    expect(RDMA_CM_EVENT_ADDR_ERROR, -EHOSTUNREACH);
    CHECK(lasts(now_us() - begin, 100000, 20));
    CHECK(rdma_destroy_id(id) == 0);

    struct rdma_conn_param own = {.responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7};
    id = reach(PORT + 1);
    CHECK(rdma_connect(id, &own) == 0 && fails(rdma_connect(id, &own), EINVAL));
    expect(RDMA_CM_EVENT_REJECTED, 8);
    destroy(id);

    char data[57] = "first";
    id = reach(PORT);
    own.private_data = data;
    own.private_data_len = 57;
    CHECK(fails(rdma_connect(id, &own), EINVAL));
    own.private_data_len = 56;
    CHECK(rdma_connect(id, &own) == 0);
    struct rdma_cm_event *event = next(RDMA_CM_EVENT_REJECTED, 28);
    CHECK(strcmp(event->param.conn.private_data, "no") == 0 && rdma_ack_cm_event(event) == 0);
    destroy(id);

    id = reach(PORT);
    struct ibv_mr *region = rdma_reg_msgs(id, memory, MESSAGE);
    CHECK(rdma_connect(id, &own) == 0);
    event = next(RDMA_CM_EVENT_ESTABLISHED, 0);
    CHECK(strcmp(event->param.conn.private_data, "welcome") == 0 && rdma_ack_cm_event(event) == 0);
    CHECK(fcntl(channel->fd, F_SETFL, O_NONBLOCK) == 0);
    CHECK(fails(rdma_get_cm_event(channel, &event), EAGAIN));
    CHECK(fcntl(channel->fd, F_SETFL, 0) == 0);
    strcpy(memory, "over the wire");
    CHECK(region && rdma_post_send(id, NULL, memory, MESSAGE, region, 0) == 0);
    complete(id->send_cq, IBV_WC_SEND);
    CHECK(rdma_disconnect(id) == 0);
    expect(RDMA_CM_EVENT_DISCONNECTED, 0);
    CHECK(rdma_dereg_mr(region) == 0);
    destroy(id);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 && (channel = rdma_create_event_channel()));
    CHECK(fails(rdma_create_id(channel, &(struct rdma_cm_id *){0}, NULL, RDMA_PS_IPOIB), EPROTONOSUPPORT));
    if (argv[1][0] == 's')
        serve();
    else
        use();
    rdma_destroy_event_channel(channel);
    printf("connections: right\n");
    return 0;
}
