# Memonet on Debian 12, with the two commands of the README.
#
#   docker build --target run --tag memonet .     tools, and `make run`
#   docker build --tag memonet .                  also `make test`
#   docker run --rm -it memonet                   a shell in the clone
#
# The base image has Rust 1.91 or newer (rust-version in Cargo.toml) on bookworm; the Rust of Debian 12 is
# older.
FROM rust:1-bookworm AS tools
WORKDIR /memonet
# The tools are a separate layer, which changes of the sources do not invalidate.
COPY ci/install ci/install
COPY Cargo.toml Cargo.toml
RUN ci/install test && rm -rf /var/lib/apt/lists/*

FROM tools AS run
COPY . .
RUN make run
CMD ["bash"]

FROM run AS test
RUN make test
