package restmapper

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// RESTMapping is where the objects of a kind are: in the first of the versions that has it, or without versions in the
// server's preferred one. [meta.IsNoMatchError] recognises the error for a kind that is not served.
func (m *Mapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	all, err := m.RESTMappings(kind, versions...)
	if err != nil {
		return nil, err
	}
	for _, version := range versions {
		i := slices.IndexFunc(all, func(r *meta.RESTMapping) bool { return r.Resource.Version == version })
		if i >= 0 {
			return all[i], nil
		}
	}
	return all[0], nil
}

// RESTMappings is where the objects of a kind are in each of the versions, or without versions in each that the server
// serves, in the server's order of preference. The error is that of RESTMapping.
func (m *Mapper) RESTMappings(kind schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	all, err := find(m, kindQuestion(kind.Group, versions), func(t *table) []*meta.RESTMapping {
		return t.mappings(kind.Kind)
	})
	if err == nil && len(all) == 0 {
		err = &meta.NoKindMatchError{GroupKind: kind, SearchedVersions: versions}
	}
	return all, err
}
