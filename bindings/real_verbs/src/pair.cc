#include "real_verbs/src/pair.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "real_verbs/src/bridge.rs.h"

namespace real_verbs {
namespace {

// Header before each received datagram.
constexpr std::uint32_t ROUTE = sizeof(ibv_grh);
static_assert(ROUTE == 40);

[[noreturn]] void fail(const std::string& what, int error) {
    throw std::runtime_error(what + ": " + std::strerror(error));
}

// Checks a function that returns null and sets errno on failure.
template <typename T>
T* created(const char* what, T* object) {
    if (object == nullptr) fail(what, errno);
    return object;
}

// Checks a function that returns an errno, or a negative number and sets errno.
void check(const char* what, int error) {
    if (error != 0) fail(what, error < 0 ? errno : error);
}

// List of all adapters. Freeing it leaves open adapters open.
struct Devices {
    int count = 0;
    ibv_device** list = ibv_get_device_list(&count);
    ~Devices() {
        if (list != nullptr) ibv_free_device_list(list);
    }
};

// Bytes of an MTU.
std::uint32_t bytes_of(ibv_mtu mtu) {
    return 128u << mtu;
}

// Adds the GIDs that packets can have: on Ethernet those of RoCE version 2, which can be routed and are IP addresses.
void gids_of(ibv_context* context, std::uint8_t number, const ibv_port_attr& attributes, Port& port) {
    for (int index = 0; index < std::min(attributes.gid_tbl_len, 256); ++index) {
        ibv_gid_entry entry{};
        // Entries of the table may be empty.
        if (ibv_query_gid_ex(context, number, index, &entry, 0) != 0) continue;
        bool other = attributes.link_layer == IBV_LINK_LAYER_ETHERNET && entry.gid_type != IBV_GID_TYPE_ROCE_V2;
        if (other) continue;
        Gid gid{};
        gid.index = static_cast<std::uint8_t>(index);
        std::copy_n(entry.gid.raw, gid.bytes.size(), gid.bytes.begin());
        port.gids.push_back(gid);
    }
}

}  // namespace

rust::Vec<Port> ports() {
    rust::Vec<Port> all;
    Devices devices;
    for (int at = 0; at < devices.count; ++at) {
        Owned<ibv_context, ibv_close_device> context(ibv_open_device(devices.list[at]));
        ibv_device_attr device{};
        // Adapters that this process may not open are skipped.
        if (!context || ibv_query_device(context.get(), &device) != 0) continue;
        for (std::uint8_t number = 1; number <= device.phys_port_cnt; ++number) {
            ibv_port_attr attributes{};
            check("ibv_query_port", ibv_query_port(context.get(), number, &attributes));
            if (attributes.state != IBV_PORT_ACTIVE) continue;
            Port port{};
            port.device = ibv_get_device_name(devices.list[at]);
            port.number = number;
            port.lid = attributes.lid;
            port.mtu = bytes_of(attributes.active_mtu);
            gids_of(context.get(), number, attributes, port);
            all.push_back(std::move(port));
        }
    }
    return all;
}

std::unique_ptr<Pair> open(const Wanted& wanted) {
    return std::make_unique<Pair>(wanted);
}

void Ring::make(ibv_pd* domain, std::uint32_t slots, std::uint32_t slot_bytes) {
    slot = slot_bytes;
    bytes.resize(std::size_t{slots} * slot);
    const std::string what = "ibv_reg_mr of " + std::to_string(bytes.size()) + " bytes, which `ulimit -l` may not allow";
    region.reset(created(what.c_str(), ibv_reg_mr(domain, bytes.data(), bytes.size(), IBV_ACCESS_LOCAL_WRITE)));
}

ibv_sge Ring::piece(std::uint64_t number, std::uint32_t length) {
    return {reinterpret_cast<std::uintptr_t>(at(number)), length, region->lkey};
}

Pair::Pair(const Wanted& wanted) : port_(wanted.port), gid_index_(wanted.gid_index), key_(wanted.key) {
    Devices devices;
    for (int at = 0; at < devices.count && !context_; ++at) {
        if (wanted.device != ibv_get_device_name(devices.list[at])) continue;
        context_.reset(created("ibv_open_device", ibv_open_device(devices.list[at])));
    }
    if (!context_) fail(std::string(wanted.device), ENODEV);
    ibv_device_attr device{};
    check("ibv_query_device", ibv_query_device(context_.get(), &device));
    ibv_port_attr port{};
    check("ibv_query_port", ibv_query_port(context_.get(), port_, &port));
    const auto most = static_cast<std::uint32_t>(std::min(device.max_qp_wr, device.max_cqe));
    const std::uint32_t receives = std::min(wanted.receives, most);
    const std::uint32_t sends = std::min(wanted.sends, most);

    domain_.reset(created("ibv_alloc_pd", ibv_alloc_pd(context_.get())));
    channel_.reset(created("ibv_create_comp_channel", ibv_create_comp_channel(context_.get())));
    sent_.reset(created("ibv_create_cq", ibv_create_cq(context_.get(), sends, nullptr, nullptr, 0)));
    received_.reset(created("ibv_create_cq", ibv_create_cq(context_.get(), receives, nullptr, channel_.get(), 0)));
    // A slot holds the longest packet of the port, so no receive fails by its length.
    send_ring_.make(domain_.get(), sends, bytes_of(port.active_mtu));
    receive_ring_.make(domain_.get(), receives, ROUTE + bytes_of(port.active_mtu));

    ibv_qp_init_attr is{};
    is.send_cq = sent_.get();
    is.recv_cq = received_.get();
    is.cap.max_send_wr = sends;
    is.cap.max_recv_wr = receives;
    is.cap.max_send_sge = is.cap.max_recv_sge = 1;
    is.qp_type = IBV_QPT_UD;
    is.sq_sig_all = 1;
    pair_.reset(created("ibv_create_qp", ibv_create_qp(domain_.get(), &is)));

    ibv_qp_attr init{};
    init.qp_state = IBV_QPS_INIT;
    init.port_num = port_;
    init.qkey = key_;
    step(init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
    // Receives are posted before the pair is ready, so that no datagram finds an empty ring.
    for (std::uint32_t slot = 0; slot < receives; ++slot) post(slot);
    for (std::uint32_t slot = 0; slot < sends; ++slot) free_.push_back(slot);
    ibv_qp_attr receive{};
    receive.qp_state = IBV_QPS_RTR;
    step(receive, IBV_QP_STATE);
    ibv_qp_attr send{};
    send.qp_state = IBV_QPS_RTS;
    step(send, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

void Pair::step(ibv_qp_attr attributes, int mask) {
    check("ibv_modify_qp", ibv_modify_qp(pair_.get(), &attributes, mask));
}

void Pair::reach(const Address& peer) {
    ibv_ah_attr attributes{};
    attributes.dlid = peer.lid;
    attributes.port_num = port_;
    // Ethernet has no LIDs: the GID is the address.
    if (peer.lid == 0) {
        attributes.is_global = 1;
        std::copy(peer.gid.begin(), peer.gid.end(), attributes.grh.dgid.raw);
        attributes.grh.sgid_index = gid_index_;
        attributes.grh.hop_limit = 64;
    }
    Owned<ibv_ah, ibv_destroy_ah> address(created("ibv_create_ah", ibv_create_ah(domain_.get(), &attributes)));
    peers_.push_back({std::move(address), peer.pair});
}

bool Pair::poll(ibv_cq* queue, ibv_wc& completion) const {
    int count = ibv_poll_cq(queue, 1, &completion);
    if (count < 0) fail("ibv_poll_cq", EIO);
    if (count > 0 && completion.status != IBV_WC_SUCCESS) {
        throw std::runtime_error(std::string("a request failed: ") + ibv_wc_status_str(completion.status));
    }
    return count > 0;
}

bool Pair::send(std::size_t peer, rust::Slice<const std::uint8_t> packet) const {
    ibv_wc completion{};
    while (poll(sent_.get(), completion)) free_.push_back(completion.wr_id);
    if (free_.empty()) return false;
    if (packet.size() > send_ring_.slot) fail("a packet beyond the path", EMSGSIZE);
    const Peer& to = peers_.at(peer);
    const std::uint64_t slot = free_.back();
    std::copy(packet.begin(), packet.end(), send_ring_.at(slot));

    ibv_sge piece = send_ring_.piece(slot, static_cast<std::uint32_t>(packet.size()));
    ibv_send_wr request{};
    request.wr_id = slot;
    request.sg_list = &piece;
    request.num_sge = 1;
    request.opcode = IBV_WR_SEND;
    request.wr.ud.ah = to.address.get();
    request.wr.ud.remote_qpn = to.pair;
    request.wr.ud.remote_qkey = key_;
    ibv_send_wr* bad = nullptr;
    check("ibv_post_send", ibv_post_send(pair_.get(), &request, &bad));
    free_.pop_back();
    return true;
}

void Pair::post(std::uint64_t slot) const {
    ibv_sge piece = receive_ring_.piece(slot, receive_ring_.slot);
    ibv_recv_wr request{};
    request.wr_id = slot;
    request.sg_list = &piece;
    request.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    check("ibv_post_recv", ibv_post_recv(pair_.get(), &request, &bad));
}

// Waits for an event of the channel or for the timeout. The event is acknowledged, which destroying the queue waits for.
void Pair::sleep(std::int32_t milliseconds) const {
    pollfd wait{channel_->fd, POLLIN, 0};
    if (::poll(&wait, 1, milliseconds) <= 0) return;
    ibv_cq* queue = nullptr;
    void* context = nullptr;
    check("ibv_get_cq_event", ibv_get_cq_event(channel_.get(), &queue, &context));
    ibv_ack_cq_events(queue, 1);
}

Arrived Pair::receive(rust::Slice<std::uint8_t> bytes, std::int32_t milliseconds) const {
    ibv_wc completion{};
    bool found = poll(received_.get(), completion);
    if (!found && milliseconds > 0) {
        // A datagram between the poll and the request for a notification makes no event, so the queue is polled again.
        check("ibv_req_notify_cq", ibv_req_notify_cq(received_.get(), 0));
        found = poll(received_.get(), completion);
        if (!found) {
            sleep(milliseconds);
            found = poll(received_.get(), completion);
        }
    }
    Arrived arrived{};
    if (!found) return arrived;
    arrived.bytes = completion.byte_len;
    arrived.pair = completion.src_qp;
    arrived.lid = completion.slid;
    arrived.routed = (completion.wc_flags & IBV_WC_GRH) != 0;
    if (bytes.size() < completion.byte_len) fail("room for a received datagram", EMSGSIZE);
    std::copy_n(receive_ring_.at(completion.wr_id), completion.byte_len, bytes.begin());
    post(completion.wr_id);
    return arrived;
}

}  // namespace real_verbs
