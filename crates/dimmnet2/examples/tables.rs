fn main() {
    for p in dimmnet2::tables::PACKAGES {
        let t = hdl::emit::package(p);
        std::fs::write(format!("rtl/{}.sv", p.path), t).unwrap();
    }
}
