package plane

// Component is one program of the control plane, by the name of its binary.
type Component string

// The programs that Ensure builds. KubeAPIServer and Etcd are all that chapters 1 to 9 need.
const (
	KubeAPIServer         Component = "kube-apiserver"
	Etcd                  Component = "etcd"
	KubeControllerManager Component = "kube-controller-manager"
	Kubectl               Component = "kubectl"
)

// Components lists every Component in the order in which they are built.
var Components = []Component{KubeAPIServer, Etcd, KubeControllerManager, Kubectl}

// Servers lists those that a supervisor runs.
var Servers = []Component{Etcd, KubeAPIServer, KubeControllerManager}
