package mirror

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// byName is the index of ConfigMaps by name, whatever their namespace.
const byName = "name"

// caches are what runs and handlers read: the stores of two informers.
type caches struct {
	configMaps, namespaces cache.SharedIndexInformer
}

var (
	_ Reader    = caches{}
	_ Relations = caches{}
)

// indexers are those of the ConfigMaps. A run finds the sources of its name, and a handler the mirrors in a namespace,
// without a look at all others. For the sources Names lists the whole store, at each event of a namespace: those are
// rare, or an index by role would be worth its place.
func indexers() cache.Indexers {
	return cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		byName: func(object any) ([]string, error) {
			return []string{object.(*corev1.ConfigMap).Name}, nil
		},
	}
}

// Asks implements Reader.
func (c caches) Asks(namespace string) bool {
	object, exists, err := c.namespaces.GetStore().GetByKey(namespace)
	return err == nil && exists && object.(*corev1.Namespace).DeletionTimestamp == nil
}

// Sources implements Reader.
func (c caches) Sources(name string) []*corev1.ConfigMap {
	return withRole(Source, c.indexed(byName, name))
}

// Get implements Reader.
func (c caches) Get(place Key) (*corev1.ConfigMap, bool) {
	object, exists, err := c.configMaps.GetStore().GetByKey(place.String())
	if err != nil || !exists {
		return nil, false
	}
	return object.(*corev1.ConfigMap), true
}

// Namespaces implements Relations.
func (c caches) Namespaces(name string) []string {
	all := c.namespaces.GetStore().ListKeys()
	for _, mirror := range withRole(Mirror, c.indexed(byName, name)) {
		all = append(all, mirror.Namespace) // it may stand where nobody asks any more
	}
	return all
}

// Names implements Relations.
func (c caches) Names(namespace string) []string {
	var all []string
	for _, source := range withRole(Source, c.configMaps.GetStore().List()) {
		all = append(all, source.Name)
	}
	for _, mirror := range withRole(Mirror, c.indexed(cache.NamespaceIndex, namespace)) {
		all = append(all, mirror.Name)
	}
	return all
}

func (c caches) indexed(index, value string) []any {
	objects, err := c.configMaps.GetIndexer().ByIndex(index, value)
	if err != nil {
		panic(err) // there is no such index: see indexers
	}
	return objects
}

func withRole(role string, objects []any) (those []*corev1.ConfigMap) {
	for _, object := range objects {
		if configMap := object.(*corev1.ConfigMap); roleOf(configMap) == role {
			those = append(those, configMap)
		}
	}
	return those
}
