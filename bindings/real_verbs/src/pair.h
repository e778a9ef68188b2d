// A queue pair for unreliable datagrams of real verbs, with two rings of registered memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <infiniband/verbs.h>

#include "rust/cxx.h"

namespace real_verbs {

struct Address;
struct Arrived;
struct Port;
struct Wanted;

// Deleter of an object of verbs.
template <auto destroy>
struct Deleter {
    template <typename T>
    void operator()(T* object) const {
        destroy(object);
    }
};
template <typename T, auto destroy>
using Owned = std::unique_ptr<T, Deleter<destroy>>;

// Registered memory in slots of equal size.
struct Ring {
    std::vector<std::uint8_t> bytes;
    Owned<ibv_mr, ibv_dereg_mr> region;
    std::uint32_t slot = 0;

    void make(ibv_pd* domain, std::uint32_t slots, std::uint32_t slot_bytes);
    std::uint8_t* at(std::uint64_t number) { return bytes.data() + number * slot; }
    ibv_sge piece(std::uint64_t number, std::uint32_t length);
};

// One thread at a time sends, and one receives: `Sender` and `Receiver` of the Rust side guarantee it. They share no
// mutable state.
class Pair {
public:
    explicit Pair(const Wanted& wanted);

    std::uint32_t number() const { return pair_->qp_num; }
    std::uint32_t slot_bytes() const { return receive_ring_.slot; }
    void reach(const Address& peer);
    bool send(std::size_t peer, rust::Slice<const std::uint8_t> packet) const;
    Arrived receive(rust::Slice<std::uint8_t> bytes, std::int32_t milliseconds) const;

private:
    struct Peer {
        Owned<ibv_ah, ibv_destroy_ah> address;
        std::uint32_t pair;
    };

    void step(ibv_qp_attr attributes, int mask);
    void post(std::uint64_t slot) const;
    bool poll(ibv_cq* queue, ibv_wc& completion) const;
    void sleep(std::int32_t milliseconds) const;

    std::uint8_t port_;
    std::uint8_t gid_index_;
    std::uint32_t key_;

    // Members are destroyed in reverse order.
    Owned<ibv_context, ibv_close_device> context_;
    Owned<ibv_pd, ibv_dealloc_pd> domain_;
    Owned<ibv_comp_channel, ibv_destroy_comp_channel> channel_;
    Owned<ibv_cq, ibv_destroy_cq> sent_;
    Owned<ibv_cq, ibv_destroy_cq> received_;
    mutable Ring send_ring_;
    mutable Ring receive_ring_;
    Owned<ibv_qp, ibv_destroy_qp> pair_;
    std::vector<Peer> peers_;
    // Slots of `send_ring_` without a packet in flight.
    mutable std::vector<std::uint64_t> free_;
};

rust::Vec<Port> ports();
std::unique_ptr<Pair> open(const Wanted& wanted);

}  // namespace real_verbs
