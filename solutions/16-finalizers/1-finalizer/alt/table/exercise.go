// Package finalizer looks its next step up in a table. A patch sorts the keys, and has the UID beside the version.
package finalizer

import (
	"context"
	"encoding/json"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// API is the API server. Its errors are NotFound, Conflict, and others.
type API interface {
	Get(ctx context.Context, object types.NamespacedName) (*metav1.PartialObjectMetadata, error)
	// Patch sends a merge patch: what it names takes the place of what the object has, lists as a whole.
	Patch(ctx context.Context, object types.NamespacedName, patch []byte) error
}

// World is where the things are that objects stand for.
type World interface {
	// Make makes the object's thing. One that is there it keeps.
	Make(ctx context.Context, o *metav1.PartialObjectMetadata) error
	// Clean clears the thing away, which may take longer than the call: it is done when it says so.
	Clean(ctx context.Context, o *metav1.PartialObjectMetadata) (done bool, err error)
}

// Protocol is how one controller deals with its finalizer.
type Protocol struct {
	API   API
	World World
	Key   string
}

// mergePatch is a merge patch for fields of an object's metadata, which have their names in JSON: "finalizers".
func mergePatch(fields map[string]any) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": fields})
}

// gone says of an API's error that there is no such object.
func gone(err error) bool { return apierrors.IsNotFound(err) }

// A state is what an object is in.
type state struct{ deleted, has bool }

// Run takes the step of the object's state.
func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	o, err := p.API.Get(ctx, object)
	switch {
	case gone(err):
		return nil
	case err != nil:
		return err
	}
	at := slices.Index(o.Finalizers, p.Key)
	step := map[state]func(context.Context, *metav1.PartialObjectMetadata, int) error{
		{false, false}: p.take,
		{false, true}:  p.make,
		{true, true}:   p.leave,
	}[state{o.DeletionTimestamp != nil, at >= 0}]
	if step == nil {
		return nil
	}
	return step(ctx, o, at)
}

func (p *Protocol) take(ctx context.Context, o *metav1.PartialObjectMetadata, _ int) error {
	return p.patch(ctx, o, slices.Concat(o.Finalizers, []string{p.Key}))
}

func (p *Protocol) make(ctx context.Context, o *metav1.PartialObjectMetadata, _ int) error {
	return p.World.Make(ctx, o)
}

func (p *Protocol) leave(ctx context.Context, o *metav1.PartialObjectMetadata, at int) error {
	done, err := p.World.Clean(ctx, o)
	if !done || err != nil {
		return err
	}
	return p.patch(ctx, o, slices.Concat(o.Finalizers[:at], o.Finalizers[at+1:]))
}

func (p *Protocol) patch(ctx context.Context, o *metav1.PartialObjectMetadata, keys []string) error {
	slices.Sort(keys)
	body, err := mergePatch(map[string]any{"uid": o.UID, "resourceVersion": o.ResourceVersion, "finalizers": keys})
	if err != nil {
		return err
	}
	err = p.API.Patch(ctx, types.NamespacedName{Namespace: o.Namespace, Name: o.Name}, body)
	if gone(err) {
		return nil
	}
	return err
}
