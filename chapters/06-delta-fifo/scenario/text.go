package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// ofOneObject says in words what DeltaFIFO hands out: all that happened to one object.
func ofOneObject(popped []cache.Delta) string {
	var all []string
	for _, d := range popped {
		all = append(all, fmt.Sprintf("%s %s", d.Type, versionAlone(d.Object)))
	}
	return Name(popped[0].Object) + ": " + strings.Join(all, ", ")
}

// inOrder says in words what RealFIFO hands out: one delta, or a batch.
func inOrder(popped []cache.Delta) string {
	var all []string
	for _, d := range popped {
		switch info := d.Object.(type) {
		case cache.ReplacedAllInfo:
			all = append(all, fmt.Sprintf("%s [%s]", d.Type, joined(info.Objects, Name)))
		case cache.SyncAllInfo:
			all = append(all, string(d.Type))
		default:
			all = append(all, fmt.Sprintf("%s %s", d.Type, Version(d.Object)))
		}
	}
	return strings.Join(all, ", ")
}

// Name is an object's name, or that of the object that a tombstone is for.
func Name(object any) string {
	if t, isTombstone := object.(cache.DeletedFinalStateUnknown); isTombstone {
		return t.Key[strings.LastIndexByte(t.Key, '/')+1:]
	}
	return object.(*corev1.ConfigMap).Name
}

// Version is an object's name and resourceVersion.
func Version(object any) string { return Name(object) + " " + versionAlone(object) }

// Versions are those of several objects.
func Versions(objects []any) string { return joined(objects, Version) }

// versionAlone is an object's resourceVersion. A tombstone has none of its own.
func versionAlone(object any) string {
	if _, isTombstone := object.(cache.DeletedFinalStateUnknown); isTombstone {
		return "(tombstone)"
	}
	return object.(*corev1.ConfigMap).ResourceVersion
}

func joined(objects []any, text func(any) string) string {
	var all []string
	for _, object := range objects {
		all = append(all, text(object))
	}
	return strings.Join(all, ", ")
}

// sorted are objects by name.
func sorted(objects []any) []any {
	return slices.SortedFunc(slices.Values(objects), func(a, b any) int { return cmp.Compare(Name(a), Name(b)) })
}

// Versions are what the side's store has, by name.
func (s *Side) Versions() string { return Versions(sorted(s.Store.List())) }

// Names are the names of what the side's store has, in their order.
func (s *Side) Names() string { return joined(sorted(s.Store.List()), Name) }
