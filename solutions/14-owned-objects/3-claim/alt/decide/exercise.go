// Package claim is another right solution of exercise 14.3: a verdict on each child.
package claim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// API is what Claim may ask of the API server.
type API interface {
	// Live reads the set that has this name now, past the cache.
	Live(ctx context.Context) (*metav1.PartialObjectMetadata, error)
	// SetOwners sends [Patch]: a child's whole list of owner references.
	SetOwners(ctx context.Context, child *metav1.PartialObjectMetadata, references []metav1.OwnerReference) error
}

// Patch is what a SetOwners sends: a merge patch, since custom resources take no strategic one. It replaces the whole
// list. The API server refuses it if the child is another one of the name, or has changed since the cache saw it.
func Patch(child *metav1.PartialObjectMetadata, references []metav1.OwnerReference) (types.PatchType, []byte, error) {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": child.UID, "resourceVersion": child.ResourceVersion, "ownerReferences": references,
	}})
	return types.MergePatchType, body, err
}

// gone says of an API's error that there is no such object any more.
func gone(err error) bool { return apierrors.IsNotFound(err) }

// controlledBy is the reference to a set that a child of it has.
func controlledBy(set *metav1.PartialObjectMetadata) metav1.OwnerReference {
	return *metav1.NewControllerRef(set, set.GroupVersionKind())
}

type verdict int

const (
	leave verdict = iota
	keep
	release
	adopt
)

// A claimer is one run.
type claimer struct {
	api      API
	set      *metav1.PartialObjectMetadata
	selector labels.Selector
	looked   bool  // the live set was looked at
	may      error // why nothing is adopted
}

// Claim returns the children that are the set's.
func Claim(ctx context.Context, api API, set *metav1.PartialObjectMetadata, selector labels.Selector,
	children []*metav1.PartialObjectMetadata) (mine []*metav1.PartialObjectMetadata, err error) {
	c := &claimer{api: api, set: set, selector: selector}
	var failed []error
	for i := range children {
		ok, err := c.one(ctx, children[i])
		if err != nil {
			failed = append(failed, fmt.Errorf("%s/%s: %w", children[i].Namespace, children[i].Name, err))
		} else if ok {
			mine = append(mine, children[i])
		}
	}
	return mine, errors.Join(failed...)
}

func (c *claimer) one(ctx context.Context, child *metav1.PartialObjectMetadata) (bool, error) {
	var err error
	switch c.decide(child) {
	case leave:
		return false, nil
	case keep:
		return true, nil
	case release:
		references := make([]metav1.OwnerReference, 0, len(child.OwnerReferences))
		for _, reference := range child.OwnerReferences {
			if reference.Controller == nil || !*reference.Controller {
				references = append(references, reference)
			}
		}
		if err = c.api.SetOwners(ctx, child, references); err == nil || gone(err) {
			return false, nil
		}
		return false, err
	default:
		if err = c.look(ctx); err != nil {
			return false, err
		}
		err = c.api.SetOwners(ctx, child, append(child.DeepCopy().OwnerReferences, controlledBy(c.set)))
		if gone(err) {
			return false, nil
		}
		return err == nil, err
	}
}

func (c *claimer) decide(child *metav1.PartialObjectMetadata) verdict {
	matches, dying := c.selector.Matches(labels.Set(child.Labels)), !c.set.DeletionTimestamp.IsZero()
	if controller := metav1.GetControllerOf(child); controller != nil {
		if controller.UID != c.set.UID || !matches && dying {
			return leave
		}
		if matches {
			return keep
		}
		return release
	}
	if dying || !matches || !child.DeletionTimestamp.IsZero() {
		return leave
	}
	return adopt
}

// look asks for the live set, the first time.
func (c *claimer) look(ctx context.Context) error {
	if c.looked {
		return c.may
	}
	c.looked = true
	live, err := c.api.Live(ctx)
	if err != nil {
		c.may = fmt.Errorf("the live set: %v", err)
	} else if live.UID != c.set.UID || !live.DeletionTimestamp.IsZero() {
		c.may = fmt.Errorf("the live set %s has the UID %s, or is being deleted", live.Name, live.UID)
	}
	return c.may
}
