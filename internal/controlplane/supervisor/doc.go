// Package supervisor runs one control plane: etcd, kube-apiserver and, when asked, kube-controller-manager.
//
// envtest starts etcd and the API server, and leaves three things open that this package closes:
//
//   - etcd would listen on a loopback port and give every local user what RBAC hides. Here it serves on unix sockets in
//     a folder of mode 0700; its one port answers /health and /metrics and nothing else.
//   - kill -9 of the program that started the servers would leave them running. Here each server has a leash, a small
//     process that ends its server as soon as the connection to the supervisor ends, and the supervisor ends itself,
//     and with it everything, when the pipe to the program that started it ends. Nothing of this needs a signal to be
//     delivered or a file to be removed.
//   - A server that dies by itself would go unnoticed. Here its leash reports it, everything else is stopped, and the
//     cause and the end of its log are told.
//
// What etcd stores is thrown away at the end, so it runs with unsafe-no-fsync (envtest's default), and servers are
// ended with SIGKILL: there is nothing to flush. Two options of the API server differ from what envtest sets, and
// neither changes how it lists and watches: it advertises 127.0.0.1 and keeps no endpoints of itself, so that it also
// starts on a machine without network.
package supervisor
