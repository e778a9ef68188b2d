/* Memberships in multicast groups by librdmacm: members learn LID, GID, queue pair and Q_Key of the group, send to it,
   get what others send, and leave. `one` and `two`, on hosts 0 and 1. */
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <rdma/rdma_cma.h>

enum { MESSAGE = 64, ROUTE = 40, LONGEST = 128 };
/* Addresses of groups: 224.0.1.1 and 224.0.1.2. */
enum { GROUP = 0xe0000101, SECOND = 0xe0000102 };

static struct rdma_event_channel *channel;
static char memory[4 * LONGEST];

static struct rdma_cm_event *next(enum rdma_cm_event_type kind)
{
    struct rdma_cm_event *event;
    CHECK(rdma_get_cm_event(channel, &event) == 0);
    if (event->event != kind || event->status != 0) {
        fprintf(stderr, "%s, status %d\n", rdma_event_str(event->event), event->status);
        exit(99);
    }
    return event;
}

static struct sockaddr_in group_of(uint32_t ip)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(ip)};
}

/* Joins a group; its LID, and how datagrams are sent to it. */
static uint16_t join(struct rdma_cm_id *id, uint32_t ip, struct rdma_ud_param *found)
{
    struct sockaddr_in group = group_of(ip);
    CHECK(rdma_join_multicast(id, (struct sockaddr *)&group, found) == 0);
    struct rdma_cm_event *event = next(RDMA_CM_EVENT_MULTICAST_JOIN);
    CHECK(event->id == id && event->param.ud.private_data == found);
    *found = event->param.ud;
    CHECK(rdma_ack_cm_event(event) == 0);
    CHECK(found->qp_num == 0xffffff && found->qkey == 0x1234567 && found->ah_attr.is_global);
    uint8_t *gid = found->ah_attr.grh.dgid.raw;
    CHECK(gid[0] == 0xff && gid[12] == 0 && gid[14] == 1 && gid[15] == (ip & 0xff));
    return found->ah_attr.dlid;
}

static int leave(struct rdma_cm_id *id, uint32_t ip)
{
    struct sockaddr_in group = group_of(ip);
    return rdma_leave_multicast(id, (struct sockaddr *)&group);
}

static void receive(struct rdma_cm_id *id, struct ibv_mr *region, int at)
{
    struct ibv_sge piece = {(uintptr_t)memory + LONGEST * at, LONGEST, region->lkey};
    struct ibv_recv_wr wr = {.wr_id = at, .sg_list = &piece, .num_sge = 1}, *bad;
    CHECK(ibv_post_recv(id->qp, &wr, &bad) == 0);
}

static void send_to(struct rdma_cm_id *id, struct ibv_mr *region, const struct rdma_ud_param *to)
{
    struct ibv_ah_attr attributes = to->ah_attr;
    struct ibv_ah *ah = ibv_create_ah(id->pd, &attributes);
    CHECK(ah);
    memset(memory + 3 * LONGEST, 'm', MESSAGE);
    struct ibv_sge piece = {(uintptr_t)memory + 3 * LONGEST, MESSAGE, region->lkey};
    struct ibv_send_wr wr = {.sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED}, *bad;
    wr.wr.ud.ah = ah;
    wr.wr.ud.remote_qpn = to->qp_num;
    wr.wr.ud.remote_qkey = to->qkey;
    CHECK(ibv_post_send(id->qp, &wr, &bad) == 0);
    CHECK(completion(id->send_cq).opcode == IBV_WC_SEND);
    CHECK(ibv_destroy_ah(ah) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    int is_sender = argv[1][0] == 't';
    struct rdma_cm_id *id;
    struct rdma_ud_param first, second;
    struct sockaddr_in group = group_of(GROUP);
    channel = rdma_create_event_channel();
    CHECK(channel && rdma_create_id(channel, &id, NULL, RDMA_PS_UDP) == 0);
    /* An id without an address of this host joins no group. */
    CHECK(rdma_join_multicast(id, (struct sockaddr *)&group, NULL) == -1 && errno == EINVAL);
    CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&group, 1000) == 0);
    CHECK(rdma_ack_cm_event(next(RDMA_CM_EVENT_ADDR_RESOLVED)) == 0);
    struct ibv_qp_init_attr wanted = {
        .cap = {.max_send_wr = 2, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_UD,
    };
    CHECK(rdma_create_qp(id, NULL, &wanted) == 0);
    struct ibv_mr *region = ibv_reg_mr(id->pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE);
    CHECK(region);
    receive(id, region, 0);
    receive(id, region, 1);
    /* Neither an address of a host nor one of none is that of a group. */
    struct sockaddr_in host = group_of(0x0a000001);
    CHECK(rdma_join_multicast(id, (struct sockaddr *)&host, NULL) == -1 && errno == EINVAL);
    CHECK(leave(id, SECOND) == -1);
    uint16_t lid = join(id, GROUP, &first);
    CHECK(join(id, SECOND, &second) != lid);
    /* Time for the other program to join. */
    usleep(500);
    if (is_sender)
        send_to(id, region, &first);
    struct ibv_wc found = completion(id->recv_cq);
    CHECK(found.opcode == IBV_WC_RECV && found.byte_len == ROUTE + MESSAGE);
    CHECK(memory[LONGEST * found.wr_id + ROUTE] == 'm');
    CHECK(leave(id, GROUP) == 0 && leave(id, GROUP) == -1);
    usleep(500);
    if (is_sender) {
        send_to(id, region, &first);
        send_to(id, region, &second);
    }
    found = completion(id->recv_cq);
    CHECK(found.wr_id == 1);
    usleep(500);
    CHECK(ibv_poll_cq(id->recv_cq, 1, &found) == 0);
    CHECK(leave(id, SECOND) == 0 && ibv_dereg_mr(region) == 0);
    rdma_destroy_qp(id);
    CHECK(rdma_destroy_id(id) == 0);
    rdma_destroy_event_channel(channel);
    puts("memberships: right");
    return 0;
}
