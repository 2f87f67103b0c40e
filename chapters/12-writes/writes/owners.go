package writes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Owner is a manager that owns a field.
type Owner struct {
	// Field is its path, as the API server names it in a conflict: .spec.env[name="TZ"].value
	Field string
	// Manager is the field manager's name.
	Manager string
	// Operation is Apply for whoever applied it, Update for whoever wrote it in another way.
	Operation metav1.ManagedFieldsOperationType
	// Subresource is the one that it was written through, or nothing.
	Subresource string
}

// Owners reads who owns which field of an object, sorted by field, manager, operation and subresource. What holds
// other fields is left out, with the elements of lists among it, if somebody owns a field in it.
//
// Upstream's counterpart is sigs.k8s.io/structured-merge-diff/v6/fieldpath.Set, in fieldpath/serialize.go.
func Owners(entries []metav1.ManagedFieldsEntry) ([]Owner, error) {
	var all []Owner
	for _, entry := range entries {
		if entry.FieldsV1 == nil || len(entry.FieldsV1.GetRawBytes()) == 0 {
			continue
		}
		var fields Object
		if err := json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields); err != nil {
			return nil, fmt.Errorf("the managedFields of %s: %w", entry.Manager, err)
		}
		paths, err := leaves("", fields)
		if err != nil {
			return nil, fmt.Errorf("the managedFields of %s: %w", entry.Manager, err)
		}
		for _, path := range paths {
			all = append(all, Owner{path, entry.Manager, entry.Operation, entry.Subresource})
		}
	}
	slices.SortFunc(all, func(a, b Owner) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Subresource, b.Subresource))
	})
	return all, nil
}

// leaves are the paths at which nothing is below.
func leaves(path string, fields Object) (all []string, err error) {
	for key, below := range fields {
		if key == "." {
			continue // the object or the element itself, which is owned with what is in it
		}
		step, err := element(key)
		if err != nil {
			return nil, err
		}
		inner, _ := below.(Object)
		found, err := leaves(path+step, inner)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
		if len(found) == 0 {
			all = append(all, path+step)
		}
	}
	return all, nil
}

// element reads one key of the format FieldsV1: f: is a field, k: an element by its keys, v: one by its value, i: one
// by its index.
func element(key string) (string, error) {
	kind, rest, _ := strings.Cut(key, ":")
	switch kind {
	case "f":
		return "." + rest, nil
	case "i":
		return "[" + rest + "]", nil
	case "v":
		return "[=" + rest + "]", nil
	case "k":
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(rest), &keys); err != nil {
			return "", fmt.Errorf("%s: %w", key, err)
		}
		var parts []string
		for name, value := range keys {
			parts = append(parts, name+"="+string(value))
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, ",") + "]", nil
	}
	return "", fmt.Errorf("%q is no step of a path", key)
}
