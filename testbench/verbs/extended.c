/* Extended calls: those that the adapter can do, and EOPNOTSUPP for the others. */
#include "host.h"

#include <errno.h>

static void query(struct ibv_context *context)
{
    struct ibv_device_attr_ex limits;
    struct ibv_device_attr plain;
    CHECK(ibv_query_device_ex(context, NULL, &limits) == 0 && ibv_query_device(context, &plain) == 0);
    CHECK(limits.phys_port_cnt_ex == 1 && memcmp(&limits.orig_attr, &plain, sizeof plain) == 0);
    CHECK(limits.odp_caps.general_caps == 0 && limits.max_dm_size == 0);
    struct ibv_gid_entry entry, entries[4];
    union ibv_gid gid;
    CHECK(ibv_query_gid(context, 1, 0, &gid) == 0 && ibv_query_gid_ex(context, 1, 0, &entry, 0) == 0);
    CHECK(memcmp(&gid, &entry.gid, sizeof gid) == 0 && entry.gid_type == IBV_GID_TYPE_IB);
    CHECK(ibv_query_gid_table(context, entries, 4, 0) == 1);
    CHECK(ibv_query_gid_ex(context, 1, 1, &entry, 0) == ENODATA && ibv_query_gid_ex(context, 1, 8, &entry, 0) == EINVAL);
    CHECK(ibv_get_pkey_index(context, 1, htons(0xffff)) == 0 && ibv_get_device_index(context->device) == 0);
    CHECK(strcmp(ibv_event_type_str(IBV_EVENT_COMM_EST), "communication established") == 0);
    struct ibv_values_ex values = {.comp_mask = IBV_VALUES_MASK_RAW_CLOCK};
    CHECK(ibv_query_rt_values_ex(context, &values) == 0 && values.raw_clock.tv_sec == 0);
    /* Features that the adapter does not have. */
    struct ibv_alloc_dm_attr memory = {.length = 64};
    errno = 0;
    CHECK(ibv_alloc_dm(context, &memory) == NULL && errno == EOPNOTSUPP);
    struct ibv_cq_init_attr_ex tagged = {.cqe = 8, .wc_flags = IBV_WC_EX_WITH_CVLAN};
    CHECK(ibv_create_cq_ex(context, &tagged) == NULL && errno == EOPNOTSUPP);
    /* Time stamps count nanoseconds. */
    CHECK(limits.hca_core_clock == 1000000 && limits.completion_timestamp_mask == UINT64_MAX);
}

/* A parent domain is another name of its domain, which stays while the name does. */
static void name_domain(struct ibv_context *context)
{
    struct ibv_pd *domain = ibv_alloc_pd(context);
    CHECK(domain);
    struct ibv_td_init_attr of_thread = {0};
    struct ibv_td *thread = ibv_alloc_td(context, &of_thread);
    CHECK(thread);
    struct ibv_parent_domain_init_attr wanted = {.pd = domain, .td = thread};
    struct ibv_pd *parent = ibv_alloc_parent_domain(context, &wanted);
    CHECK(parent && parent->handle == domain->handle && ibv_dealloc_pd(domain) == EBUSY);
    wanted.pd = parent;
    struct ibv_pd *again = ibv_alloc_parent_domain(context, &wanted);
    CHECK(again && ibv_dealloc_pd(parent) == 0);
    static char bytes[64];
    struct ibv_mr *region = ibv_reg_mr(again, bytes, sizeof bytes, IBV_ACCESS_LOCAL_WRITE);
    CHECK(region && ibv_dereg_mr(region) == 0 && ibv_dealloc_pd(domain) == EBUSY);
    CHECK(ibv_dealloc_pd(again) == 0 && ibv_dealloc_td(thread) == 0);
    wanted.pd = domain;
    wanted.comp_mask = 1 << 9;
    CHECK(ibv_alloc_parent_domain(context, &wanted) == NULL && errno == EOPNOTSUPP && ibv_dealloc_pd(domain) == 0);
}

/* Nanoseconds of the adapter's clock. */
static uint64_t adapter_clock(struct ibv_context *context)
{
    struct ibv_values_ex values = {.comp_mask = IBV_VALUES_MASK_RAW_CLOCK};
    CHECK(ibv_query_rt_values_ex(context, &values) == 0);
    return values.raw_clock.tv_sec * 1000000000UL + values.raw_clock.tv_nsec;
}

/* The completion was written after this time and before now, by both clocks. */
static void check_stamps(struct ibv_cq_ex *queue, uint64_t after)
{
    struct timespec wall;
    uint64_t stamp = ibv_wc_read_completion_ts(queue), now = adapter_clock(queue->context);
    CHECK(clock_gettime(CLOCK_REALTIME, &wall) == 0);
    /* The clocks are read one after the other. */
    uint64_t apart = wall.tv_sec * 1000000000UL + wall.tv_nsec - now;
    CHECK(after < stamp && stamp < now && stamp + apart - ibv_wc_read_completion_wallclock_ns(queue) < 1000);
}

/* Reads one completion field by field; its operation. */
static enum ibv_wc_opcode read_completion(struct ibv_cq_ex *queue, uint64_t posted)
{
    struct ibv_poll_cq_attr none = {0};
    int result;
    while ((result = ibv_start_poll(queue, &none)) == ENOENT)
        ;
    CHECK(result == 0 && queue->status == IBV_WC_SUCCESS);
    enum ibv_wc_opcode operation = ibv_wc_read_opcode(queue);
    if (operation == IBV_WC_RECV) {
        CHECK(queue->wr_id == 1 && ibv_wc_read_byte_len(queue) == 12);
        CHECK(ibv_wc_read_wc_flags(queue) == IBV_WC_WITH_IMM && ibv_wc_read_imm_data(queue) == htonl(7));
    }
    check_stamps(queue, operation == IBV_WC_SEND ? posted : 0);
    ibv_end_poll(queue);
    return operation;
}

int main(int argc, char **argv)
{
    struct host host = open_host(argc, argv);
    query(host.context);
    name_domain(host.context);
    struct ibv_cq_init_attr_ex wanted = {
        .cqe = ENTRIES,
        .channel = host.channel,
        .wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM |
                    IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK,
    };
    struct ibv_cq_ex *queue = ibv_create_cq_ex(host.context, &wanted);
    CHECK(queue);
    host.queue = ibv_cq_ex_to_cq(queue);
    struct ibv_qp_init_attr_ex attributes = {
        .send_cq = host.queue,
        .recv_cq = host.queue,
        .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .pd = host.domain,
        .send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM,
    };
    host.pair = ibv_create_qp_ex(host.context, &attributes);
    CHECK(host.pair);
    struct ibv_qp_ex *builder = ibv_qp_to_qp_ex(host.pair);
    CHECK(builder);
    connect_pair(&host);
    post_receive(&host);
    meet(&host);
    strcpy(host.memory, host.is_server ? "from server" : "from client");
    uint64_t posted = adapter_clock(host.context);
    ibv_wr_start(builder);
    builder->wr_id = 5;
    builder->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_send_imm(builder, htonl(7));
    ibv_wr_set_sge(builder, host.region->lkey, (uintptr_t)host.memory, 12);
    CHECK(ibv_wr_complete(builder) == 0);
    /* A series that is given up sends nothing. */
    ibv_wr_start(builder);
    ibv_wr_send(builder);
    ibv_wr_abort(builder);
    /* Both hosts send at once, so either completion may be the first one. */
    enum ibv_wc_opcode first = read_completion(queue, posted), second = read_completion(queue, posted);
    CHECK(first + second == IBV_WC_SEND + IBV_WC_RECV);
    CHECK(strcmp(host.memory + BYTES / 2, host.is_server ? "from client" : "from server") == 0);
    meet(&host);
    CHECK(ibv_destroy_qp(host.pair) == 0 && ibv_destroy_cq(host.queue) == 0);
    return end(&host, "extended");
}
