package plane

import (
	"os"
	"path/filepath"
)

// KubectlCacheEnv is kubectl's own variable for the folder of what it keeps of a server's kinds
// (k8s.io/cli-runtime/pkg/genericclioptions, config_flags.go).
const KubectlCacheEnv = "KUBECACHEDIR"

// KubectlEnv returns what to add to the environment of a kubectl that uses the kubeconfig. kubectl writes what it
// learns of an API server into ~/.kube/cache, a folder for each address, and each control plane has a new port: of one
// of ours it goes into the run directory, which ends with the control plane. For any other kubeconfig, and where the
// reader has chosen a folder, there is nothing to add.
func KubectlEnv(kubeconfig string) []string {
	if os.Getenv(KubectlCacheEnv) != "" {
		return nil
	}
	plane, err := ReadOwn(filepath.Dir(kubeconfig))
	if err != nil || CheckRun(plane.Dir) != nil {
		return nil
	}
	return []string{KubectlCacheEnv + "=" + filepath.Join(plane.Dir, "kubectl")}
}
