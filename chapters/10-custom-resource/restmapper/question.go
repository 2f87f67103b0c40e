package restmapper

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// question says which group versions can have what is looked for.
type question struct {
	group    string
	begins   bool     // group is the beginning of a group's name; "" is that of any
	versions []string // none: any
}

// kindQuestion is about a kind in a group, whose name is whole: "" is the legacy group.
func kindQuestion(group string, versions []string) question {
	return question{group: group, versions: written(versions)}
}

// resourceQuestion is about a resource as people name it, "deployments.apps" or "deployments.v1.apps". A group without
// a version may be a beginning, so that "storageclasses.storage" finds storage.k8s.io.
func resourceQuestion(resource schema.GroupVersionResource) question {
	q := question{group: resource.Group, versions: written([]string{resource.Version})}
	q.begins = q.group == "" || len(q.versions) == 0
	return q
}

// written are the versions that somebody wrote: neither empty nor the API server's internal one.
func written(versions []string) (all []string) {
	for _, v := range versions {
		if v != "" && v != runtime.APIVersionInternal {
			all = append(all, v)
		}
	}
	return all
}

// only is the one group version that can have it. Such a question needs no list of what the server serves.
func (q question) only() (gv schema.GroupVersion, one bool) {
	if q.begins || len(q.versions) != 1 {
		return gv, false
	}
	return schema.GroupVersion{Group: q.group, Version: q.versions[0]}, true
}

// concerns says whether a group version can have it.
func (q question) concerns(gv schema.GroupVersion) bool {
	if gv.Group != q.group && !(q.begins && strings.HasPrefix(gv.Group, q.group)) {
		return false
	}
	return len(q.versions) == 0 || slices.Contains(q.versions, gv.Version)
}
