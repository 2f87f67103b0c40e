package lab

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// InNamespace makes a namespace with the prefix and a random suffix, and returns the cluster with it as its Namespace.
func (c *Cluster) InNamespace(ctx context.Context, prefix string) (*Cluster, error) {
	own := *c
	if err := own.makeNamespace(ctx, prefix+"-"+Suffix(), nil); err != nil {
		return nil, fmt.Errorf("a namespace for this run: %w", err)
	}
	return &own, nil
}

// Beside makes another namespace, named after the run's own, with these labels, and returns its name. It is deleted
// with the run's.
func (c *Cluster) Beside(ctx context.Context, name string, labels map[string]string) (string, error) {
	other := *c
	if err := other.makeNamespace(ctx, c.Namespace+"-"+name, labels); err != nil {
		return "", fmt.Errorf("a namespace beside that of this run: %w", err)
	}
	c.beside = append(c.beside, &other)
	return other.Namespace, nil
}

// makeNamespace makes a namespace, which is the cluster's from then on.
func (c *Cluster) makeNamespace(ctx context.Context, name string, labels map[string]string) error {
	c.Namespace, c.beside, c.claimed = name, nil, nil
	if !c.Private { // a private one dies with this process, and its namespaces with it
		c.claimed = c.claim(name)
	}
	all := map[string]string{runLabel: runValue}
	maps.Copy(all, labels)
	namespace := map[string]any{"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": name, "labels": all}}
	err := c.call(ctx, http.MethodPost, "/api/v1/namespaces", namespace, nil)
	if err != nil {
		release(c.claimed, name)
	}
	return err
}

// DeleteNamespace deletes the run's namespace, and those beside it. It does not wait for them to be gone, which is the
// work of kube-controller-manager, and gives up after two seconds, because it is what stands between Ctrl-C and the
// prompt.
func (c *Cluster) DeleteNamespace(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var all []error
	for _, one := range append(c.beside, c) {
		all = append(all, one.deleteNamespace(ctx))
	}
	return errors.Join(all...)
}

func (c *Cluster) deleteNamespace(ctx context.Context) error {
	path := "/api/v1/namespaces/" + c.Namespace
	err := c.call(ctx, http.MethodDelete, path, nil, nil)
	if err != nil { // a step may have deleted it
		code, _, asked := SendJSON(ctx, c.client, http.MethodGet, c.Server.String()+path, nil)
		if asked == nil && code == http.StatusNotFound {
			err = nil
		}
	}
	if err != nil {
		if c.Private {
			return nil // it dies with the servers
		}
		return fmt.Errorf("namespace %s is not deleted: %w: delete it with `%s delete namespace %s`",
			c.Namespace, err, c.Kubectl(), c.Namespace)
	}
	if !c.Private {
		c.free(ctx, c.Namespace)
	}
	release(c.claimed, c.Namespace)
	return nil
}

// Suffix returns six random letters and digits, for names that must not meet those of another run.
func Suffix() string { return strings.ToLower(rand.Text()[:6]) }
