package storage

import (
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

// scope is a shelf of the index: where a watcher is put, and where a write looks for watchers.
// Fields that are "" are not asked about.
type scope struct{ resource, namespace, name, label, value string }

// scope is the narrowest shelf that every match of the query belongs to.
func (q Query) scope() scope {
	s := scope{resource: q.Resource, namespace: q.Namespace}
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

// scopes are all the shelves on which a watcher of this object may stand. Their number depends on
// the object's labels, not on how many watchers there are.
func (o *Object) scopes(to []scope) []scope {
	if o == nil {
		return to
	}
	for _, namespace := range [...]string{"", o.Namespace} {
		to = append(to,
			scope{resource: o.Resource, namespace: namespace},
			scope{resource: o.Resource, namespace: namespace, name: o.Name})
		for k, v := range o.Labels {
			to = append(to, scope{resource: o.Resource, namespace: namespace, label: k, value: v})
		}
		if o.Namespace == "" {
			break
		}
	}
	return to
}
