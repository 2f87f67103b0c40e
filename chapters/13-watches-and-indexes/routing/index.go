package routing

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Indexed reads an informer's objects, also by fields that it was told to keep an index of.
//
// An index is kept by the informer as it writes: each object stands under each of its values. A field is whatever a
// function makes of an object, and need not be one. Its values are a set: an object that names three ConfigMaps stands
// under three. An API server's field selectors have nothing to do with it.
//
// Upstream's counterpart is what a manager's cache is for one kind: internal.CacheReader, in controller-runtime's
// pkg/cache/internal/cache_reader.go, and indexByField, in pkg/cache/informer_cache.go.
type Indexed struct {
	informer cache.SharedIndexInformer
	kind     schema.GroupVersionKind
}

var (
	_ client.Reader       = (*Indexed)(nil)
	_ client.FieldIndexer = (*Indexed)(nil)
)

// NewIndexed makes one over an informer of a kind, which keeps an index of namespaces, as that of a manager's cache
// does.
func NewIndexed(informer cache.SharedIndexInformer, kind schema.GroupVersionKind) *Indexed {
	return &Indexed{informer, kind}
}

// IndexField has the informer keep an index. A second one of the same field is refused. The object says of which kind
// it is to be, and there is one kind here: it is not looked at.
func (x *Indexed) IndexField(_ context.Context, _ client.Object, field string, values client.IndexerFunc) error {
	return x.informer.AddIndexers(cache.Indexers{indexName(field): func(item any) ([]string, error) {
		o, ok := item.(client.Object)
		if !ok {
			return nil, fmt.Errorf("an index of the field %s: a %T is no object", field, item)
		}
		return entries(o.GetNamespace(), values(o)), nil
	}})
}

// indexName is under which name the informer has a field's index. Upstream's begins with "field:". Both may be there.
func indexName(field string) string { return "routing:" + field }

// everywhere is in the place of a namespace, and none can be called so.
const everywhere = "*"

// entries is under what an object stands: each value in its namespace, and each over all.
func entries(namespace string, values []string) (all []string) {
	for _, value := range values {
		all = append(all, entry("", value))
		if namespace != "" {
			all = append(all, entry(namespace, value))
		}
	}
	return all
}

// entry is what is looked up: a value in a namespace, or over all.
func entry(namespace, value string) string {
	if namespace == "" {
		namespace = everywhere
	}
	return namespace + "/" + value
}
