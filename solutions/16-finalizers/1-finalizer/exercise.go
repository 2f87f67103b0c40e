// Package finalizer is exercise 16.1: an object that stays until its controller has cleaned up.
//
// A finalizer is a key in metadata.finalizers. The API server keeps an object that was deleted, with a
// deletionTimestamp, until somebody has taken its last key out:
//
//	p := &finalizer.Protocol{API: api, World: world, Key: "scratch.example.com/machine.a"}
//	err := p.Run(ctx, web) // after each change, each failure, and each news of the world
//
// Write Run, stage by stage, from the standard library and what is imported here. docs/exercises.md says what holds for
// every exercise.
package finalizer

import (
	"context"
	"encoding/json"
	//solution:begin
	"slices"
	//solution:end

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
	Key   string // a verdict calls it ours, and other keys theirs and ours2
}

// mergePatch is a merge patch for fields of an object's metadata, which have their names in JSON: "finalizers".
func mergePatch(fields map[string]any) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": fields})
}

// gone says of an API's error that there is no such object.
func gone(err error) bool { return apierrors.IsNotFound(err) }

// Run does what is to be done for an object now. It may leave the rest to the next Run.
//
// Stage 1: the key, and then the thing
//   - An object without Key gets it, once. Other keys are somebody else's, and stay.
//   - Make is called when the object has Key, and not before.
//
// Stage 2: being deleted
//   - An object with Key and a deletionTimestamp is cleaned up, and no longer made.
//   - Key goes when Clean is done, without an error. Other keys stay, and are not waited for.
//   - An object with a deletionTimestamp and without Key is left alone.
//
// Stage 3: what the API server answers
//   - NotFound is no failure: the object is gone, and nothing is made for it.
//   - Any other error is returned, and nothing is done after it. So is the World's.
//
// Stage 4 (hard): others write, too
//   - A Patch that changes another object than Get has shown, or another version of it, must fail with a Conflict.
//   - Get returns what a cache holds and others read: it is not changed.
func (p *Protocol) Run(ctx context.Context, object types.NamespacedName) error {
	//solution:begin
	//todo: look at the object, and decide
	//stub: return nil
	o, err := p.API.Get(ctx, object)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	has := slices.Contains(o.Finalizers, p.Key)
	switch {
	case o.DeletionTimestamp == nil && has:
		return p.World.Make(ctx, o)
	case o.DeletionTimestamp == nil:
		return p.set(ctx, object, o, append(slices.Clone(o.Finalizers), p.Key)) // the change leads to the next Run
	case !has:
		return nil
	}
	if done, err := p.World.Clean(ctx, o); err != nil || !done {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(o.Finalizers), func(key string) bool { return key == p.Key })
	return p.set(ctx, object, o, others)
	//solution:end
}

//solution:begin

// set writes the list, if the object is still what was read.
func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	patch, err := mergePatch(map[string]any{"finalizers": keys, "resourceVersion": o.ResourceVersion})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}

//solution:end
