//! Worlds that find each other: ports, published names, and processes that ranks start (MPI 5.0, chapter 11).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use mpi::{Communicator, Peer, Source, Tag};
use serde_bytes::ByteBuf;

use super::spare::{self, StartOrder};
use super::{Reply, Server, call_error, error, not_allowed};
use crate::mpi::call::{Answer, Call, CallError, Connection, SpawnedProgram};
use crate::mpi::deadlock::Wait;
use crate::mpi::standard::{ERR_COMM, ERR_INTERN, ERR_ROOT, ERR_SPAWN};
use crate::search::{candidates, is_executable};

/// Route to the other world as the root has found it, and the tag of messages there.
type Route = Result<(Peer, u32), CallError>;

impl Server {
    /// Carries out a call about ports, names or new processes.
    pub(super) async fn carry_out_between_worlds(&self, call: Call) -> Reply {
        match call {
            Call::OpenPort => Ok(Answer::Name(self.run.services().open_port(self.rank))),
            Call::ClosePort(port) => {
                self.run.services().close_port(&port, self.rank)?;
                Ok(Answer::Done)
            }
            Call::PublishName { service, port } => {
                self.run.services().publish(service, port)?;
                Ok(Answer::Done)
            }
            Call::UnpublishName(service) => {
                self.run.services().unpublish(&service)?;
                Ok(Answer::Done)
            }
            Call::LookUpName(service) => Ok(Answer::Name(self.run.services().look_up(&service)?)),
            Call::Accept(connection) => self.accept(connection).await,
            Call::Connect(connection) => self.connect(connection).await,
            Call::Spawn { communicator, root, programs } => self.spawn(communicator, root, programs).await,
            _ => Err(not_allowed()),
        }
    }

    /// `MPI_Comm_accept`: the first process that has connected leads the other group.
    async fn accept(&self, connection: Connection) -> Reply {
        let Connection { communicator, root, port } = connection;
        let communicator = self.group_of(communicator, root)?;
        let found = match (communicator.rank() == root as usize, port) {
            (true, Some(port)) => Some(self.wait_for_connection(&port).await),
            _ => None,
        };
        self.join(&communicator, root, found).await
    }

    async fn wait_for_connection(&self, port: &str) -> Route {
        let tag = self.run.services().find_own_port(port, self.rank)?;
        let ranks = (0..self.universe.size()).filter(|process| *process != self.rank).collect();
        self.run.set_wait(self.rank, Wait { ranks, event: format!("a process to connect to `{port}`") });
        let came = self.universe.receive(Source::Any, Tag::Is(tag), 0).await.map_err(call_error)?;
        Ok((Peer { communicator: self.universe.clone(), rank: came.status.source }, tag))
    }

    /// `MPI_Comm_connect`: the process that has opened the port leads the other group.
    async fn connect(&self, connection: Connection) -> Reply {
        let Connection { communicator, root, port } = connection;
        let communicator = self.group_of(communicator, root)?;
        let found = match (communicator.rank() == root as usize, port) {
            (true, Some(port)) => Some(self.connect_to(&port).await),
            _ => None,
        };
        self.join(&communicator, root, found).await
    }

    async fn connect_to(&self, port: &str) -> Route {
        let (tag, owner) = self.run.services().find_port(port)?;
        self.run.set_wait(self.rank, Wait { ranks: vec![owner], event: format!("`{port}` to accept") });
        self.universe.send(owner, tag, &[]).await.map_err(call_error)?;
        Ok((Peer { communicator: self.universe.clone(), rank: owner }, tag))
    }

    /// `MPI_Comm_spawn` and `MPI_Comm_spawn_multiple`: the first new process leads the other group.
    async fn spawn(&self, communicator: u32, root: u32, programs: Option<Vec<SpawnedProgram>>) -> Reply {
        let communicator = self.group_of(communicator, root)?;
        let found = match (communicator.rank() == root as usize, programs) {
            (true, Some(programs)) => Some(self.start_processes(&programs).await),
            _ => None,
        };
        self.join(&communicator, root, found).await
    }

    async fn start_processes(&self, programs: &[SpawnedProgram]) -> Route {
        let count = programs.iter().map(|program| program.processes as usize).sum::<usize>();
        let failed = |reason: String| CallError { class: ERR_SPAWN, reason };
        let mut found = Vec::with_capacity(programs.len());
        for program in programs {
            let name =
                program.words.first().map(|word| OsString::from_vec(word.to_vec())).unwrap_or_default();
            let file = find_program(&name, program.path.as_deref());
            let file = file.ok_or_else(|| failed(format!("there is no program `{}`", name.display())))?;
            if let Some(folder) = &program.folder
                && !Path::new(OsStr::from_bytes(folder)).is_dir()
            {
                return Err(failed(format!("there is no folder `{}`", String::from_utf8_lossy(folder))));
            }
            let words = program.words.iter().skip(1).cloned();
            found.push([ByteBuf::from(file.into_os_string().into_vec())].into_iter().chain(words).collect());
        }
        let hosts = self.run.services().take_hosts(count);
        let Some(hosts) = hosts.filter(|hosts| !hosts.is_empty()) else {
            let spare = self.run.services().spare().count();
            return Err(failed(format!(
                "{count} processes are to be started and {spare} hosts are spare: `mpirun --universe N` has N hosts"
            )));
        };
        let tag = self.run.services().take_tag();
        let applications =
            programs.iter().enumerate().flat_map(|(at, program)| (0..program.processes).map(move |_| at));
        for (host, application) in hosts.iter().zip(applications) {
            let order = StartOrder {
                words: Vec::clone(&found[application]),
                folder: programs[application].folder.clone(),
                world: hosts.iter().map(|host| *host as u32).collect(),
                parent: self.rank as u32,
                tag,
                application: application as u32,
            };
            spare::order(&self.universe, *host, &order).await.map_err(call_error)?;
        }
        Ok((Peer { communicator: self.universe.clone(), rank: hosts[0] }, tag))
    }

    /// The communicator of the calling processes, of which `root` has to be one.
    fn group_of(&self, number: u32, root: u32) -> Result<Communicator, CallError> {
        let communicator = self.new_communicator_of(number)?;
        if communicator.remote_group().is_some() {
            return Err(error(ERR_COMM, "the communicator is an intercommunicator"));
        }
        match (root as usize) < communicator.size() {
            true => Ok(communicator),
            false => Err(error(ERR_ROOT, "there is no such root")),
        }
    }

    /// Makes the intercommunicator to the world that the root has found. All ranks get the root's error.
    async fn join(&self, communicator: &Communicator, root: u32, found: Option<Route>) -> Reply {
        let (class, tag) = match &found {
            Some(Ok((_, tag))) => (0, *tag),
            Some(Err(error)) => (error.class as u32, 0),
            None => (ERR_INTERN as u32, 0),
        };
        let told = [class.to_le_bytes(), tag.to_le_bytes()].concat();
        let told = communicator.broadcast(told, root as usize).await.map_err(call_error)?;
        let peer = found.transpose()?.map(|(peer, _)| peer);
        let [class, tag] =
            [0, 4].map(|at| told[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word)));
        if class != 0 {
            return Err(error(class as i32, &format!("the call fails at its root, rank {root}")));
        }
        let mut wait = super::wait::others(communicator, "all of both groups");
        wait.ranks.extend(peer.as_ref().map(|peer| peer.rank));
        self.run.set_wait(self.rank, wait);
        let new =
            communicator.create_intercommunicator(root as usize, peer, tag).await.map_err(call_error)?;
        Ok(self.add_communicator(Some(new)))
    }
}

/// The file of a program: the name itself if it has a folder, else a file in these folders, in those of the variable PATH
/// or in the current one.
fn find_program(name: &OsStr, path: Option<&Vec<u8>>) -> Option<PathBuf> {
    let own = path.map(|path| OsString::from_vec(path.clone())).unwrap_or_default();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&own).chain(std::env::split_paths(&others));
    let folders = folders.filter(|folder| !folder.as_os_str().is_empty()).chain([PathBuf::from(".")]);
    candidates(name, folders).into_iter().find(|file| is_executable(file))
}
