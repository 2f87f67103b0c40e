package controlplane

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// errLeftAlone says that a state directory has a kubeconfig that no control plane of ours has written. SCRATCH_STATE
// may name any folder, and another tool may write into .lab.
var errLeftAlone = errors.New("is no kubeconfig of this repository, so it is left alone")

// checkForeign refuses to remove or to replace such a kubeconfig.
func checkForeign(lab string) error {
	path := filepath.Join(lab, RunKubeconfig)
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) ||
		strings.Contains(string(data), "current-context: controllers-from-scratch\n") {
		return nil
	}
	return fmt.Errorf("%s %w: move it away, or set %s to a folder of its own", path, errLeftAlone, StateEnv)
}

// WriteKubeconfig writes the kubeconfig of a state directory. One there that no control plane of ours has written is an
// error, and stays.
func WriteKubeconfig(lab string, data []byte) error {
	if err := checkForeign(lab); err != nil {
		return err
	}
	return WriteFile(filepath.Join(lab, RunKubeconfig), data)
}

// RemoveKubeconfig removes the kubeconfig of a state directory, if there is one. One that no control plane of ours has
// written is an error, and stays.
func RemoveKubeconfig(lab string) error {
	if err := checkForeign(lab); err != nil {
		return err
	}
	return removeIfThere(filepath.Join(lab, RunKubeconfig))
}
