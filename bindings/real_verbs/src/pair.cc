#include "real_verbs/src/pair.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "real_verbs/src/bridge.rs.h"

namespace real_verbs {
namespace {

// What verbs puts in front of a datagram that comes.
constexpr std::uint32_t ROUTE = sizeof(ibv_grh);
static_assert(ROUTE == 40);

[[noreturn]] void fail(const std::string& what, int error) {
    throw std::runtime_error(what + ": " + std::strerror(error));
}

// Calls that make something return null and set errno.
template <typename T>
T* made(const char* what, T* object) {
    if (object == nullptr) fail(what, errno);
    return object;
}

// Other calls return the number of an error.
void done(const char* what, int error) {
    if (error != 0) fail(what, error < 0 ? errno : error);
}

// All adapters; the list goes away at the end, and those that are open stay open.
struct Devices {
    int count = 0;
    ibv_device** list = ibv_get_device_list(&count);
    ~Devices() {
        if (list != nullptr) ibv_free_device_list(list);
    }
};

// Bytes of a packet, of verbs' number for it.
std::uint32_t bytes_of(ibv_mtu mtu) {
    return 128u << mtu;
}

// Identifiers that packets can have: on Ethernet those of RoCE version 2, which go through routers and have addresses.
void gids_of(ibv_context* context, std::uint8_t number, const ibv_port_attr& attributes, Port& port) {
    for (int index = 0; index < std::min(attributes.gid_tbl_len, 256); ++index) {
        ibv_gid_entry entry{};
        // Places in the table may be empty.
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
        // One that this process may not open is none that it could use.
        if (!context || ibv_query_device(context.get(), &device) != 0) continue;
        for (std::uint8_t number = 1; number <= device.phys_port_cnt; ++number) {
            ibv_port_attr attributes{};
            done("ibv_query_port", ibv_query_port(context.get(), number, &attributes));
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
    region.reset(made(what.c_str(), ibv_reg_mr(domain, bytes.data(), bytes.size(), IBV_ACCESS_LOCAL_WRITE)));
}

ibv_sge Ring::piece(std::uint64_t number, std::uint32_t length) {
    return {reinterpret_cast<std::uintptr_t>(at(number)), length, region->lkey};
}

Pair::Pair(const Wanted& wanted) : port_(wanted.port), gid_index_(wanted.gid_index), key_(wanted.key) {
    Devices devices;
    for (int at = 0; at < devices.count && !context_; ++at) {
        if (wanted.device != ibv_get_device_name(devices.list[at])) continue;
        context_.reset(made("ibv_open_device", ibv_open_device(devices.list[at])));
    }
    if (!context_) fail(std::string(wanted.device), ENODEV);
    ibv_device_attr device{};
    done("ibv_query_device", ibv_query_device(context_.get(), &device));
    ibv_port_attr port{};
    done("ibv_query_port", ibv_query_port(context_.get(), port_, &port));
    const auto most = static_cast<std::uint32_t>(std::min(device.max_qp_wr, device.max_cqe));
    const std::uint32_t receives = std::min(wanted.receives, most);
    const std::uint32_t sends = std::min(wanted.sends, most);

    domain_.reset(made("ibv_alloc_pd", ibv_alloc_pd(context_.get())));
    channel_.reset(made("ibv_create_comp_channel", ibv_create_comp_channel(context_.get())));
    sent_.reset(made("ibv_create_cq", ibv_create_cq(context_.get(), sends, nullptr, nullptr, 0)));
    received_.reset(made("ibv_create_cq", ibv_create_cq(context_.get(), receives, nullptr, channel_.get(), 0)));
    // No packet of this port is longer, so none that comes is an error of length.
    leaving_.make(domain_.get(), sends, bytes_of(port.active_mtu));
    come_.make(domain_.get(), receives, ROUTE + bytes_of(port.active_mtu));

    ibv_qp_init_attr is{};
    is.send_cq = sent_.get();
    is.recv_cq = received_.get();
    is.cap.max_send_wr = sends;
    is.cap.max_recv_wr = receives;
    is.cap.max_send_sge = is.cap.max_recv_sge = 1;
    is.qp_type = IBV_QPT_UD;
    is.sq_sig_all = 1;
    pair_.reset(made("ibv_create_qp", ibv_create_qp(domain_.get(), &is)));

    ibv_qp_attr init{};
    init.qp_state = IBV_QPS_INIT;
    init.port_num = port_;
    init.qkey = key_;
    step(init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
    // Before it is ready, so that nothing that comes finds an empty ring.
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
    done("ibv_modify_qp", ibv_modify_qp(pair_.get(), &attributes, mask));
}

void Pair::reach(const Address& peer) {
    ibv_ah_attr attributes{};
    attributes.dlid = peer.lid;
    attributes.port_num = port_;
    // Ethernet has no local identifiers.
    if (peer.lid == 0) {
        attributes.is_global = 1;
        std::copy(peer.gid.begin(), peer.gid.end(), attributes.grh.dgid.raw);
        attributes.grh.sgid_index = gid_index_;
        attributes.grh.hop_limit = 64;
    }
    Owned<ibv_ah, ibv_destroy_ah> address(made("ibv_create_ah", ibv_create_ah(domain_.get(), &attributes)));
    peers_.push_back({std::move(address), peer.pair});
}

bool Pair::poll(ibv_cq* queue, ibv_wc& completion) const {
    int count = ibv_poll_cq(queue, 1, &completion);
    if (count < 0) fail("ibv_poll_cq", EIO);
    if (count > 0 && completion.status != IBV_WC_SUCCESS) {
        throw std::runtime_error(std::string("a completion says: ") + ibv_wc_status_str(completion.status));
    }
    return count > 0;
}

bool Pair::send(std::size_t peer, rust::Slice<const std::uint8_t> packet) const {
    ibv_wc completion{};
    while (poll(sent_.get(), completion)) free_.push_back(completion.wr_id);
    if (free_.empty()) return false;
    if (packet.size() > leaving_.slot) fail("a packet beyond the path", EMSGSIZE);
    const Peer& to = peers_.at(peer);
    const std::uint64_t slot = free_.back();
    std::copy(packet.begin(), packet.end(), leaving_.at(slot));

    ibv_sge piece = leaving_.piece(slot, static_cast<std::uint32_t>(packet.size()));
    ibv_send_wr request{};
    request.wr_id = slot;
    request.sg_list = &piece;
    request.num_sge = 1;
    request.opcode = IBV_WR_SEND;
    request.wr.ud.ah = to.address.get();
    request.wr.ud.remote_qpn = to.pair;
    request.wr.ud.remote_qkey = key_;
    ibv_send_wr* bad = nullptr;
    done("ibv_post_send", ibv_post_send(pair_.get(), &request, &bad));
    free_.pop_back();
    return true;
}

void Pair::post(std::uint64_t slot) const {
    ibv_sge piece = come_.piece(slot, come_.slot);
    ibv_recv_wr request{};
    request.wr_id = slot;
    request.sg_list = &piece;
    request.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    done("ibv_post_recv", ibv_post_recv(pair_.get(), &request, &bad));
}

// Until the channel says that something has come, or is over. What it says is taken, and acknowledged, because a queue does not go away before that.
void Pair::sleep(std::int32_t milliseconds) const {
    pollfd wait{channel_->fd, POLLIN, 0};
    if (::poll(&wait, 1, milliseconds) <= 0) return;
    ibv_cq* queue = nullptr;
    void* context = nullptr;
    done("ibv_get_cq_event", ibv_get_cq_event(channel_.get(), &queue, &context));
    ibv_ack_cq_events(queue, 1);
}

Arrived Pair::receive(rust::Slice<std::uint8_t> bytes, std::int32_t milliseconds) const {
    ibv_wc completion{};
    bool come = poll(received_.get(), completion);
    if (!come && milliseconds > 0) {
        // What comes between a look and the request to be told is told to nobody: so it is looked at again.
        done("ibv_req_notify_cq", ibv_req_notify_cq(received_.get(), 0));
        come = poll(received_.get(), completion);
        if (!come) {
            sleep(milliseconds);
            come = poll(received_.get(), completion);
        }
    }
    Arrived arrived{};
    if (!come) return arrived;
    arrived.bytes = completion.byte_len;
    arrived.pair = completion.src_qp;
    arrived.lid = completion.slid;
    arrived.routed = (completion.wc_flags & IBV_WC_GRH) != 0;
    if (bytes.size() < completion.byte_len) fail("bytes for what has come", EMSGSIZE);
    std::copy_n(come_.at(completion.wr_id), completion.byte_len, bytes.begin());
    post(completion.wr_id);
    return arrived;
}

}  // namespace real_verbs
