package lab

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// InNamespace makes a namespace with the prefix and a random suffix, and returns the cluster with it as its Namespace.
func (c *Cluster) InNamespace(ctx context.Context, prefix string) (*Cluster, error) {
	own := *c
	own.Namespace = prefix + "-" + Suffix()
	if !own.Private { // a private one dies with this process, and its namespaces with it
		own.claimed = c.claim(own.Namespace)
	}
	namespace := map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{
			"name":   own.Namespace,
			"labels": map[string]string{runLabel: runValue},
		},
	}
	if err := c.call(ctx, http.MethodPost, "/api/v1/namespaces", namespace, nil); err != nil {
		release(own.claimed, own.Namespace)
		return nil, fmt.Errorf("a namespace for this run: %w", err)
	}
	return &own, nil
}

// DeleteNamespace deletes the run's namespace. It does not wait for the namespace to be gone, which is the work of
// kube-controller-manager, and gives up after two seconds, because it is what stands between Ctrl-C and the prompt.
func (c *Cluster) DeleteNamespace(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := c.call(ctx, http.MethodDelete, "/api/v1/namespaces/"+c.Namespace, nil, nil); err != nil {
		if c.Private {
			return nil // it dies with the servers
		}
		return fmt.Errorf("namespace %s is not deleted: %w: delete it with `%s delete namespace %s`",
			c.Namespace, err, c.Kubectl(), c.Namespace)
	}
	release(c.claimed, c.Namespace)
	return nil
}

// Suffix returns six random letters and digits, for names that must not meet those of another run.
func Suffix() string { return strings.ToLower(rand.Text()[:6]) }
