package restmapper

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// table is what one group version serves. It never changes: another answer of the server's is another table. Of two
// resources that have one kind it knows the later one by the kind, and both by their names.
type table struct {
	version   schema.GroupVersion
	resources map[string]metav1.APIResource // by name; that of a subresource has a slash, "processes/status"
	kinds     map[string]string             // names of resources, by kind; without subresources
	singulars map[string]string             // names of resources, by singular
}

func newTable(gv schema.GroupVersion, served []metav1.APIResource) *table {
	t := &table{gv, map[string]metav1.APIResource{}, map[string]string{}, map[string]string{}}
	for _, resource := range served {
		t.resources[resource.Name] = resource
		if strings.Contains(resource.Name, "/") {
			continue // a subresource has a kind of its own, such as Scale, whose objects are not there to be listed
		}
		t.kinds[resource.Kind], t.singulars[singularOf(resource)] = resource.Name, resource.Name
	}
	return t
}

// singularOf is a resource's singular, which an old server does not tell.
func singularOf(resource metav1.APIResource) string {
	return cmp.Or(resource.SingularName, strings.ToLower(resource.Kind))
}

// mappings are the mapping of a kind, or none.
func (t *table) mappings(kind string) []*meta.RESTMapping {
	name, served := t.kinds[kind]
	if !served {
		return nil
	}
	var scope meta.RESTScope = meta.RESTScopeRoot
	if t.resources[name].Namespaced {
		scope = meta.RESTScopeNamespace
	}
	return []*meta.RESTMapping{{Resource: t.version.WithResource(name), GroupVersionKind: t.version.WithKind(kind),
		Scope: scope}}
}

// named are the resources with a name or a singular, without subresources: one as a rule, two if the singular of one is
// the name of another.
func (t *table) named(name string) (all []metav1.APIResource) {
	if resource, served := t.resources[name]; served && !strings.Contains(name, "/") {
		all = append(all, resource)
	}
	if plural, served := t.singulars[name]; served && plural != name {
		all = append(all, t.resources[plural])
	}
	return all
}
