package lab

import (
	"context"
	"net/http"
	"strings"
)

// held are the resources of which a run may leave something with a finalizer: what the steps write into a namespace.
var held = []string{"/api/v1/namespaces/NAME/configmaps",
	"/apis/scratch.example.com/v1alpha1/namespaces/NAME/processes",
	"/apis/scratch.example.com/v1alpha1/namespaces/NAME/processsets"}

// free takes the finalizers out of what is left in a namespace of a run, once its deletion has begun, so that
// nothing new comes. Their controllers have ended with the run, and a namespace waits for the last of its objects. What
// can't be done stays for the next run.
func (c *Cluster) free(ctx context.Context, namespace string) {
	for _, resource := range held {
		path := strings.Replace(resource, "NAME", namespace, 1)
		var list struct {
			Items []struct {
				Metadata struct {
					Name       string
					Finalizers []string
				}
			}
		}
		if c.call(ctx, http.MethodGet, path, nil, &list) != nil {
			continue // the kind is not installed, say
		}
		for _, item := range list.Items {
			if len(item.Metadata.Finalizers) > 0 {
				none := map[string]any{"metadata": map[string]any{"finalizers": nil}}
				_ = c.call(ctx, http.MethodPatch, path+"/"+item.Metadata.Name, none, nil)
			}
		}
	}
}
