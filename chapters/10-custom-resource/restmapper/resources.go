package restmapper

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// match is a resource that a partial one may mean.
type match struct {
	version  schema.GroupVersion
	resource metav1.APIResource
}

func (r match) kind() schema.GroupVersionKind     { return r.version.WithKind(r.resource.Kind) }
func (r match) name() schema.GroupVersionResource { return r.version.WithResource(r.resource.Name) }

// KindsFor are the kinds of the resources that a partial one may mean, in the server's order of preference. A partial
// resource has a name or a singular, in any case; its group and version may be left out, and the end of its group if
// its version is. [meta.IsNoMatchError] recognises the error for a resource that is not served.
func (m *Mapper) KindsFor(partial schema.GroupVersionResource) (all []schema.GroupVersionKind, err error) {
	matches, err := m.matches(partial)
	for _, r := range matches {
		all = append(all, r.kind())
	}
	return all, err
}

// ResourcesFor are the resources that a partial one may mean, as KindsFor has them.
func (m *Mapper) ResourcesFor(partial schema.GroupVersionResource) (all []schema.GroupVersionResource, err error) {
	matches, err := m.matches(partial)
	for _, r := range matches {
		all = append(all, r.name())
	}
	return all, err
}

// KindFor is the kind of the resource that a partial one means: of several the server's preferred one. If one group
// version has two, [meta.IsAmbiguousError] recognises the error.
func (m *Mapper) KindFor(partial schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	one, err := m.preferred(partial)
	return one.kind(), err
}

// ResourceFor is the resource that a partial one means, as KindFor has it.
func (m *Mapper) ResourceFor(partial schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	one, err := m.preferred(partial)
	return one.name(), err
}

// ResourceSingularizer is the singular of a resource in the first group version that has one of that name. Beside an
// error it returns the name as it came.
func (m *Mapper) ResourceSingularizer(name string) (singular string, err error) {
	matches, err := m.matches(schema.GroupVersionResource{Resource: name})
	if err != nil {
		return name, err
	}
	return singularOf(matches[0].resource), nil
}

// APIResource is all that discovery says of a resource: its kind, the verbs that it can be asked for, its short names.
// It takes the whole name, and is the one method that knows subresources: "processes/status".
func (m *Mapper) APIResource(whole schema.GroupVersionResource) (metav1.APIResource, error) {
	q := kindQuestion(whole.Group, []string{whole.Version})
	found, err := find(m, q, func(t *table) (all []metav1.APIResource) {
		if resource, served := t.resources[whole.Resource]; served {
			all = append(all, resource)
		}
		return all
	})
	switch {
	case err != nil:
		return metav1.APIResource{}, err
	case len(found) == 0:
		return metav1.APIResource{}, &meta.NoResourceMatchError{PartialResource: whole}
	}
	return found[0], nil
}

// matches are the resources that a partial one may mean, at least one if there is no error.
func (m *Mapper) matches(partial schema.GroupVersionResource) ([]match, error) {
	if partial.Resource == "" {
		return nil, fmt.Errorf("a resource must be present, got: %v", partial)
	}
	found, err := find(m, resourceQuestion(partial), func(t *table) (all []match) {
		for _, resource := range t.named(strings.ToLower(partial.Resource)) {
			all = append(all, match{t.version, resource})
		}
		return all
	})
	if err == nil && len(found) == 0 {
		err = &meta.NoResourceMatchError{PartialResource: partial}
	}
	return found, err
}

// preferred is the match that the server's preference of group versions leaves.
func (m *Mapper) preferred(partial schema.GroupVersionResource) (match, error) {
	matches, err := m.matches(partial)
	switch {
	case err != nil:
		return match{}, err
	case len(matches) > 1 && matches[0].version == matches[1].version:
		return match{}, &meta.AmbiguousResourceError{PartialResource: partial,
			MatchingResources: []schema.GroupVersionResource{matches[0].name(), matches[1].name()}}
	}
	return matches[0], nil
}
