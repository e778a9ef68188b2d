//! Files become switches, cables and routes; errors name the line and a remedy.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;

fn graph(text: &str, nodes: usize) -> (Graph, Routes) {
    match Topology::from_toml(text, nodes) {
        Ok(Topology::Switches { graph, routes }) => (graph, routes),
        other => panic!("{other:?}"),
    }
}

/// Error message for a file with `nodes` nodes.
fn refused(text: &str, nodes: usize) -> String {
    let found = Topology::from_toml(text, nodes).expect_err("it is refused");
    let error = found.in_file(Path::new("net.toml")).to_string();
    error.strip_prefix("net.toml").expect("it names the file").trim_start_matches([',', ':', ' ']).to_owned()
}

/// Follows the routes between all pairs of nodes and counts the pairs on each port.
fn walk(graph: &Graph, routes: &Routes) -> BTreeMap<Port, usize> {
    let other_end: BTreeMap<Port, Port> = graph.cables.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let mut load = BTreeMap::new();
    for (from, (begin, _)) in graph.nodes.iter().enumerate() {
        for (to, end) in graph.nodes.iter().enumerate().filter(|(to, _)| *to != from) {
            let mut at = *begin;
            for hop in 0.. {
                assert!(hop < graph.switches.len(), "node {from} reaches node {to}");
                let port = (at, routes.port(at, to));
                *load.entry(port).or_default() += 1;
                match other_end.get(&port) {
                    Some((next, _)) => at = *next,
                    None => {
                        assert_eq!(port, *end);
                        break;
                    }
                }
            }
        }
    }
    load
}

fn read(nodes: usize) -> (Graph, Routes) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-level.toml");
    match Topology::read(&path, nodes) {
        Ok(Topology::Switches { graph, routes }) => (graph, routes),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_level_example_is_a_fat_tree_with_even_load() {
    let (graph, routes) = read(64);
    assert_eq!(graph.switches.len(), 6);
    assert_eq!(graph.switches[3], SwitchInfo { name: "leaf3".into(), ports: 32 });
    assert_eq!(graph.nodes[17], (1, 1));
    assert_eq!(graph.cables.len(), 64);
    assert_eq!(graph.cables[0], ((0, 16), (4, 0)));
    let load = walk(&graph, &routes);
    // 16 nodes of a leaf send to 48 others over 16 cables upwards; spines forward the same amount.
    let up = (0..4).flat_map(|leaf| (16..32).map(move |port| (leaf, port)));
    let down = (4..6).flat_map(|spine| (0..32).map(move |port| (spine, port)));
    for port in up.chain(down) {
        assert_eq!(load[&port], 48, "{}", graph.port_name(port));
    }
}

#[test]
fn two_level_example_works_up_to_its_number_of_ports() {
    for nodes in [1, 2, 7, 63, 64] {
        let (graph, routes) = read(nodes);
        walk(&graph, &routes);
    }
}

#[test]
fn three_levels_spread_nodes_over_all_cores() {
    // Four pods of two leaves and two aggregation switches, and four cores: a fat tree of 4-port switches.
    let mut text = String::new();
    for pod in 0..4 {
        text += &format!(
            "[[switch]]\nname = \"leaf{pod}-\"\ncount = 2\nports = 4\nnodes = \"{}-{}\"\n\
             [[switch]]\nname = \"agg{pod}-\"\ncount = 2\nports = 4\n\
             [[cable]]\nends = [\"leaf{pod}-\", \"agg{pod}-\"]\n\
             [[cable]]\nends = [\"agg{pod}-0\", \"core-a\"]\n[[cable]]\nends = [\"agg{pod}-1\", \"core-b\"]\n",
            4 * pod,
            4 * pod + 3
        );
    }
    text += "[[switch]]\nname = \"core-a\"\ncount = 2\nports = 4\n[[switch]]\nname = \"core-b\"\ncount = 2\nports = 4\n";
    let (graph, routes) = graph(&text, 16);
    let load = walk(&graph, &routes);
    let core = |(switch, _): &&Port| graph.switches[*switch].name.starts_with("core");
    let loads: Vec<_> = load.iter().filter(|(port, _)| core(port)).map(|(_, load)| *load).collect();
    // 4 nodes of a pod are reached by 12 others over 4 cables.
    assert_eq!(loads, [12; 16]);
}

#[test]
fn unnamed_ports_are_the_lowest_free_ones() {
    let text = "
        [[switch]]
        name = \"a\"
        ports = 8
        nodes = \"0-1\"
        [[switch]]
        name = \"b\"
        ports = 8
        nodes = 2
        [[cable]]
        ends = [\"a\", \"b\"]
        [[cable]]
        ends = [\"a:2\", \"b:7\"]";
    let (graph, routes) = graph(text, 3);
    assert_eq!(graph.nodes, [(0, 0), (0, 1), (1, 0)]);
    assert_eq!(graph.cables, [((0, 3), (1, 1)), ((0, 2), (1, 7))]);
    // Node 0 uses the first cable and node 1 the second, in the order of ports of `b`.
    assert_eq!(routes.of(1), [1, 7, 0]);
    assert_eq!(routes.of(0), [0, 1, 2]);
}

#[test]
fn switches_of_one_entry_are_joined_pairwise() {
    let text =
        "[[switch]]\nname = \"s\"\ncount = 4\nports = 8\nnodes = \"all\"\n[[cable]]\nends = [\"s\", \"s\"]\n";
    let (graph, routes) = graph(text, 8);
    assert_eq!(graph.cables.len(), 6);
    walk(&graph, &routes);
}

#[test]
fn named_topologies_are_one_switch_and_one_cable() {
    let Ok(Topology::Switches { graph, routes }) = Topology::open("one-switch", 5) else {
        panic!("it is there")
    };
    assert_eq!((graph.switches[0].ports, graph.nodes[4]), (5, (0, 4)));
    assert_eq!(routes.of(0), [0, 1, 2, 3, 4]);
    assert_eq!(Topology::open("back-to-back", 2).unwrap(), Topology::BackToBack);
    assert_eq!(
        Topology::open("back-to-back", 3).unwrap_err().to_string(),
        "back-to-back is for 2 nodes, not 3; leave it out, or name a file"
    );
    assert_eq!(
        Topology::open("one-switch", 0).unwrap_err().to_string(),
        "a cluster has 1 to 16384 nodes, not 0"
    );
    assert!(Topology::open("no.toml", 3).unwrap_err().to_string().starts_with("no.toml: it cannot be read"));
    assert!(matches!(Topology::open("/dev/zero", 3), Err(TopologyError::File(_))));
}

/// Switches with one node each, joined in a ring.
fn ring(switches: usize) -> String {
    let mut text = format!("[[switch]]\nname = \"s\"\ncount = {switches}\nports = 3\nnodes = \"all\"\n");
    for n in 0..switches {
        text += &format!("[[cable]]\nends = [\"s{n}\", \"s{}\"]\n", (n + 1) % switches);
    }
    text
}

#[test]
fn ring_that_could_deadlock_is_refused_with_its_cables() {
    assert_eq!(
        refused(&ring(5), 5),
        "frames could wait for each other for ever, each in a buffer that another needs, on the way \
         s0:1 to s1:1, s1:2 to s2:1, s2:2 to s3:1, s3:2 to s4:1, s4:2 to s0:2; \
         leave one of these cables out, or join switches as a tree or a fat tree"
    );
    // Three switches are pairwise adjacent: no frame uses two cables.
    walk(&graph(&ring(3), 3).0, &graph(&ring(3), 3).1);
    let line = ring(5).rsplit_once("[[cable]]").unwrap().0.to_owned();
    walk(&graph(&line, 5).0, &graph(&line, 5).1);
}

#[test]
fn unreachable_node_is_refused() {
    let islands = "[[switch]]\nname = \"s\"\ncount = 2\nports = 4\nnodes = \"all\"\n";
    assert_eq!(refused(islands, 4), "no cables lead from `s1` to node 0, which hangs on `s0`; join them");
}

#[test]
fn nodes_are_connected_once() {
    let switch =
        |name: &str, nodes: &str| format!("[[switch]]\nname = \"{name}\"\nports = 4\nnodes = \"{nodes}\"\n");
    assert_eq!(refused(&switch("a", "0-2"), 4), "node 3 of 4 hangs on no switch; name it in `nodes` of one");
    assert_eq!(
        refused(&format!("{}{}", switch("a", "0-2"), switch("b", "2-")), 4),
        "line 5: node 2 hangs on `a` already; name it once"
    );
    assert_eq!(
        refused(&switch("a", "0-4"), 4),
        "line 1: there is no node 4; the 4 nodes have the numbers 0 to 3"
    );
    assert_eq!(
        refused(&switch("a", "0-4"), 5),
        "line 1: all 4 ports of `a` are in use, and node 4 needs one; give it more"
    );
}

#[test]
fn ports_are_used_once() {
    let switches =
        "[[switch]]\nname = \"a\"\nports = 2\nnodes = 0\n[[switch]]\nname = \"b\"\nports = 2\nnodes = 1\n";
    let cable = |keys: &str| refused(&format!("{switches}[[cable]]\n{keys}\n"), 2);
    assert_eq!(
        cable("ends = [\"a:0\", \"b\"]"),
        "line 9: port 0 of `a` is used twice, the first time by node 0; take another"
    );
    assert_eq!(
        cable("ends = [\"a:1\", \"b\"]\n[[cable]]\nends = [\"b\", \"a:1\"]"),
        "line 11: port 1 of `a` is used twice, the first time by a cable; take another"
    );
    assert_eq!(
        cable("ends = [\"a:2\", \"b\"]"),
        "line 9: `a` has no port 2; its 2 ports have the numbers 0 to 1"
    );
    assert_eq!(
        cable("ends = [\"a\", \"b\"]\ncount = 2"),
        "line 9: all 2 ports of `a` are in use, and a cable needs one; give it more"
    );
}

#[test]
fn invalid_switches_and_cables_are_refused() {
    let switch = |keys: &str| refused(&format!("[[switch]]\n{keys}\n"), 2);
    for (keys, error) in [
        ("name = \"a b\"\nports = 4", "line 1: `a b` is no name of a switch;"),
        ("name = \"a\"\nports = 0", "line 1: a switch has 1 to 16384 ports, not 0; change `ports`"),
        ("name = \"a\"\nports = 4\ncount = 0", "line 1: `count` is 0;"),
        ("name = \"a\"\nports = 4\ncount = 1_000_000_000_000", "line 1: there are more than 1024 switches;"),
        ("name = \"a\"", "line 1: missing field `ports`"),
        ("name = \"a\"\nports = 4\nport = 4", "line 4: unknown field `port`"),
        ("name = \"a\"\nports = 4\n[[switch]]\nname = \"a\"\nports = 4", "line 4: the name `a` is taken;"),
        (
            "name = \"a\"\nports = 4\ncount = 2\n[[switch]]\nname = \"a1\"\nports = 4",
            "line 5: the name `a1` is taken;",
        ),
    ] {
        assert!(switch(keys).starts_with(error), "{keys}: {}", switch(keys));
    }
    let cable = |keys: &str| {
        refused(
            &format!(
                "[[switch]]\nname = \"a\"\ncount = 2\nports = 16384\nnodes = \"all\"\n[[cable]]\n{keys}\n"
            ),
            2,
        )
    };
    for (keys, error) in [
        ("ends = [\"a0\"]", "line 6: a cable has two ends, not 1; name two switches in `ends`"),
        ("ends = [\"a0\", \"c\"]", "line 6: there is no switch `c`;"),
        ("ends = [\"a0\", \"a1:x\"]", "line 6: there is no switch `a1:x`;"),
        ("ends = [\"a0\", \"a0\"]", "line 6: the cable joins `a0` to itself;"),
        ("ends = [\"a0\", \"a\"]", "line 6: the cable joins `a0` to itself;"),
        ("ends = [\"a0\", \"a1\"]\ncount = 0", "line 6: `count` is 0;"),
        ("ends = [\"a0\", \"a1\"]\ncount = 1_000_000", "line 6: there are more than 100000 cables;"),
        ("ends = [\"a0\", \"a1\"]\ncount = 20_000", "line 6: all 16384 ports of `a0` are in use,"),
    ] {
        assert!(cable(keys).starts_with(error), "{keys}: {}", cable(keys));
    }
    assert_eq!(
        refused("# Nothing.", 2),
        "there is no switch in it; write one, or name one-switch or back-to-back"
    );
}
