package routing

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Get implements client.Reader: it copies the object of a key.
func (x *Indexed) Get(_ context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	o := (&client.GetOptions{}).ApplyOptions(options)
	item, exists, err := x.informer.GetIndexer().GetByKey(cache.ObjectName(key).String())
	if err != nil {
		return err
	}
	if !exists {
		return apierrors.NewNotFound(schema.GroupResource{Group: x.kind.Group, Resource: x.kind.Kind}, key.Name)
	}
	found, err := x.handedOut(item, ptr.Deref(o.UnsafeDisableDeepCopy, false))
	if err != nil {
		return err
	}
	from, to := reflect.ValueOf(found), reflect.ValueOf(into)
	if from.Type() != to.Type() {
		return fmt.Errorf("the cache has objects of type %s, and was asked for a %s", from.Type(), to.Type())
	}
	to.Elem().Set(from.Elem())
	return nil
}

// List implements client.Reader. It looks through as few objects as it can: those under the first field that is asked
// for, or else those of the namespace, or else all. Fields are asked for by one value each. A field without an index is
// an error and no slow search, and so is one that is to differ from a value.
//
// Labels are no index: each of those objects is looked at. A list that is to go on where another has ended there is
// none, and a limit is where counting stops. Upstream then has "continue-not-supported" in the list.
func (x *Indexed) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(options)
	if o.Continue != "" {
		return errors.New("a cache has no list that goes on: Continue is not supported")
	}
	items, err := x.candidates(o)
	if err != nil {
		return err
	}
	list := make([]runtime.Object, 0, len(items))
	for _, item := range items {
		if o.Limit > 0 && int64(len(list)) == o.Limit {
			break
		}
		if !selected(item, o.LabelSelector) {
			continue
		}
		found, err := x.handedOut(item, ptr.Deref(o.UnsafeDisableDeepCopy, false))
		if err != nil {
			return err
		}
		list = append(list, found)
	}
	return meta.SetList(into, list)
}

// candidates are the objects of a namespace and of the fields.
func (x *Indexed) candidates(o *client.ListOptions) ([]any, error) {
	objects := x.informer.GetIndexer()
	switch {
	case o.FieldSelector != nil:
		return byFields(objects, o.Namespace, o.FieldSelector.Requirements())
	case o.Namespace != "":
		return objects.ByIndex(cache.NamespaceIndex, o.Namespace)
	}
	return objects.List(), nil
}

// byFields looks up the first field, and keeps of what it finds whatever has the others.
func byFields(objects cache.Indexer, namespace string, fields fields.Requirements) (found []any, err error) {
	if len(fields) == 0 {
		return nil, errors.New("a selector of no fields is not supported")
	}
	for i, field := range fields {
		if field.Operator != selection.Equals && field.Operator != selection.DoubleEquals {
			return nil, fmt.Errorf("an index finds what has a value: %s %s is not supported", field.Field, field.Operator)
		}
		wanted := entry(namespace, field.Value)
		if i == 0 {
			if found, err = objects.ByIndex(indexName(field.Field), wanted); err != nil {
				return nil, fmt.Errorf("the field %s has no index: %w", field.Field, err)
			}
			continue
		}
		values, ok := objects.GetIndexers()[indexName(field.Field)]
		if !ok {
			return nil, fmt.Errorf("the field %s has no index", field.Field)
		}
		found = slices.DeleteFunc(found, func(item any) bool {
			under, failed := values(item)
			err = errors.Join(err, failed)
			return !slices.Contains(under, wanted)
		})
	}
	return found, err
}

// selected says whether an object has the labels that are asked for.
func selected(item any, by labels.Selector) bool {
	if by == nil {
		return true
	}
	o, ok := item.(client.Object)
	return ok && by.Matches(labels.Set(o.GetLabels()))
}

// handedOut is a copy that says of which kind it is, or what the informer has itself, which nobody may change.
func (x *Indexed) handedOut(item any, itself bool) (runtime.Object, error) {
	o, ok := item.(runtime.Object)
	if !ok {
		return nil, fmt.Errorf("a %T is no object", item)
	}
	if itself {
		return o, nil
	}
	o = o.DeepCopyObject()
	o.GetObjectKind().SetGroupVersionKind(x.kind)
	return o, nil
}
