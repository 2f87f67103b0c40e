package storage

import (
	"slices"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Query says which objects a list or a watch is about.
type Query struct {
	Resource  string
	Namespace string          // "" means all
	Labels    labels.Selector // nil means everything
	Fields    fields.Selector // over metadata.name and metadata.namespace; nil means everything
}

// Matches tells whether an object is one of those asked for.
func (q Query) Matches(o *Object) bool {
	if o == nil || o.Resource != q.Resource || (q.Namespace != "" && o.Namespace != q.Namespace) {
		return false
	}
	if q.Labels != nil && !q.Labels.Matches(o.Labels) {
		return false
	}
	return q.Fields == nil || q.Fields.Empty() ||
		q.Fields.Matches(fields.Set{"metadata.name": o.Name, "metadata.namespace": o.Namespace})
}

// shelf is a place in the index: where a watcher is put, and where a write looks for watchers.
// Fields that are "" are not asked about.
type shelf struct{ resource, namespace, name, label, value string }

// shelf is the narrowest one that every match of the query belongs to.
func (q Query) shelf() shelf {
	s := shelf{resource: q.Resource, namespace: q.Namespace}
	if q.Fields != nil {
		if name, ok := q.Fields.RequiresExactMatch("metadata.name"); ok {
			s.name = name
			return s
		}
	}
	if q.Labels == nil {
		return s
	}
	requirements, _ := q.Labels.Requirements()
	for _, r := range requirements {
		switch r.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			if values := r.ValuesUnsorted(); len(values) == 1 {
				s.label, s.value = r.Key(), values[0]
				return s
			}
		}
	}
	return s
}

// shelves are all those on which a watcher of this object may stand; none for no object. Their number
// depends on the object's labels, not on how many watchers there are.
func (o *Object) shelves() []shelf {
	if o == nil {
		return nil
	}
	namespaces := []string{"", o.Namespace}
	if o.Namespace == "" {
		namespaces = namespaces[:1]
	}
	all := make([]shelf, 0, len(namespaces)*(2+len(o.Labels)))
	for _, namespace := range namespaces {
		all = append(all,
			shelf{resource: o.Resource, namespace: namespace},
			shelf{resource: o.Resource, namespace: namespace, name: o.Name})
		for k, v := range o.Labels {
			all = append(all, shelf{resource: o.Resource, namespace: namespace, label: k, value: v})
		}
	}
	return all
}

// shelves are those that the object belonged to before the change, and those after it, each once.
func (c *change) shelves() []shelf {
	all := c.before.shelves()
	for _, s := range c.after.shelves() {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
