package lab

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// A run holds a lock file named after its namespace for as long as it lives. The kernel drops the lock when the process
// ends in any way, so that a namespace with a lock that nobody holds is what a killed run left. One without a lock file
// is somebody else's.

// The label that marks the namespaces of runs, and the selector that finds them.
const (
	runLabel    = "controllers-from-scratch"
	runValue    = "run"
	runSelector = runLabel + "=" + runValue
)

// claimPath is where the lock of a namespace lies: in a folder that only this user can enter.
func claimPath(namespace string) (string, error) {
	base, err := plane.RunBase()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, plane.NamespaceLock+namespace), nil
}

// claim takes the lock of a namespace that is about to be made. The lock file of a local control plane goes with that,
// so the file names its run directory. Without a place for lock files the run goes on, and if it is killed, its
// namespace stays.
func (c *Cluster) claim(namespace string) *filelock.Lock {
	path, err := claimPath(namespace)
	if err != nil {
		return nil
	}
	held, err := filelock.Try(path)
	if err != nil {
		return nil
	}
	if c.Instance != nil {
		_ = held.Note(c.Instance.Dir)
	}
	return held
}

// release gives the lock of a namespace back once that is deleted.
func release(held *filelock.Lock, namespace string) {
	if held == nil {
		return
	}
	if path, err := claimPath(namespace); err == nil {
		_ = os.Remove(path) // while it is held, so that nobody takes it for a leftover
	}
	_ = held.Unlock()
}

// leftovers returns the namespaces that killed runs of this user left in the cluster, and those of them that are being
// deleted already.
func (c *Cluster) leftovers(ctx context.Context) (names, going []string, err error) {
	var list struct {
		Items []struct {
			Metadata struct {
				Name              string
				DeletionTimestamp *string
			}
		}
	}
	path := "/api/v1/namespaces?labelSelector=" + url.QueryEscape(runSelector)
	if err := c.call(ctx, http.MethodGet, path, nil, &list); err != nil {
		return nil, nil, err
	}
	for _, item := range list.Items {
		switch name := item.Metadata.Name; {
		case !abandoned(name):
		case item.Metadata.DeletionTimestamp == nil:
			names = append(names, name)
		default:
			going = append(going, name)
		}
	}
	return names, going, nil
}

// abandoned says whether a run of this user made the namespace and lives no more.
func abandoned(namespace string) bool {
	path, err := claimPath(namespace)
	if err != nil {
		return false
	}
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	held, err := filelock.Try(path)
	if err != nil {
		return false
	}
	return held.Unlock() == nil
}

// removeLeftovers deletes what killed runs left, and returns what it deleted. What cannot be deleted stays for the next
// run. A namespace whose deletion a killed run has begun waits for objects that nobody else will free.
func (c *Cluster) removeLeftovers(ctx context.Context) (names []string) {
	all, going, err := c.leftovers(ctx)
	if err != nil {
		return nil
	}
	for _, name := range all {
		if c.call(ctx, http.MethodDelete, "/api/v1/namespaces/"+name, nil, nil) == nil {
			names = append(names, name)
		}
	}
	for _, name := range append(going, names...) {
		c.free(ctx, name)
		if path, err := claimPath(name); err == nil {
			_ = os.Remove(path)
		}
	}
	return names
}

// Leftovers returns the namespaces that killed runs of this user left in the local control plane with this kubeconfig.
// The next run deletes them.
func Leftovers(ctx context.Context, kubeconfig string) ([]string, error) {
	c, err := newCluster(Local, kubeconfig, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	names, _, err := c.leftovers(ctx)
	if err != nil {
		return nil, explain(err, c)
	}
	return names, nil
}
