package writes

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json" // which keeps whole numbers whole, as far as an int64 goes
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Lock says what a patch does if the object is no longer as it was read.
type Lock bool

// The locks.
const (
	Unlocked Lock = false // what the patch does not hold is not compared with anything
	Locked   Lock = true  // the patch holds the resourceVersion that was read, and another one is a conflict
)

// MergeFrom makes a patch for a client: a merge patch from an object, as it was read, to what the client is given. The
// object may be changed afterwards. A lock needs its resourceVersion.
//
// Upstream's counterparts are sigs.k8s.io/controller-runtime/pkg/client.MergeFrom and MergeFromWithOptions, in
// pkg/client/patch.go. They keep the object itself, so that what is changed before the call is not in the patch.
func MergeFrom(object client.Object, lock Lock) (client.Patch, error) {
	return from(object, lock, mergePatch{})
}

// JSONPatchFrom is MergeFrom with a JSON patch. Its lock is a test of the resourceVersion. With tested, each value
// that it changes is tested as well.
func JSONPatchFrom(object client.Object, lock Lock, tested bool) (client.Patch, error) {
	return from(object, lock, jsonPatch{tested})
}

// patch implements client.Patch.
type patch struct {
	before  Object
	version string // that the object has to have, or nothing
	format  format
}

var _ client.Patch = patch{}

func from(object client.Object, lock Lock, f format) (client.Patch, error) {
	before, err := content(object)
	if err != nil {
		return nil, err
	}
	if before == nil {
		return nil, fmt.Errorf("there is no %T to make a patch of", object)
	}
	p := patch{before: before, format: f}
	if lock == Locked {
		if p.version = object.GetResourceVersion(); p.version == "" {
			return nil, fmt.Errorf("%s has no resourceVersion: it can only be locked as it was read",
				client.ObjectKeyFromObject(object))
		}
	}
	return p, nil
}

// Type implements client.Patch.
func (p patch) Type() types.PatchType { return p.format.mediaType() }

// Data implements client.Patch.
func (p patch) Data(object client.Object) ([]byte, error) {
	after, err := content(object)
	if err != nil {
		return nil, err
	}
	// The version is the API server's, and no change: one that was read later, or was taken away. All else that differs
	// is in the patch, as in upstream's.
	return json.Marshal(p.format.diff(p.before, withVersion(after, p.before), p.version))
}

// format is a kind of patch.
type format interface {
	mediaType() types.PatchType
	diff(before, after Object, version string) any
}

type mergePatch struct{}

func (mergePatch) mediaType() types.PatchType { return types.MergePatchType }

func (mergePatch) diff(before, after Object, version string) any {
	return locked(MergePatch(before, after), version)
}

// locked is a merge patch with a version in it.
func locked(patch Object, version string) Object {
	if version == "" {
		return patch
	}
	return Merge(patch, Object{"metadata": Object{"resourceVersion": version}})
}

type jsonPatch struct{ tested bool }

func (jsonPatch) mediaType() types.PatchType { return types.JSONPatchType }

func (j jsonPatch) diff(before, after Object, version string) any {
	operations := JSONPatch(before, after, j.tested)
	if version != "" {
		operations = append([]Operation{{"test", "/metadata/resourceVersion", version}}, operations...)
	}
	return append([]Operation{}, operations...) // an empty patch is [], and not null
}

// withVersion is an object with the resourceVersion of another.
func withVersion(object, other Object) Object {
	metadata, _ := other["metadata"].(Object)
	version, there := metadata["resourceVersion"]
	if !there {
		version = nil
	}
	return Merge(object, Object{"metadata": Object{"resourceVersion": version}})
}

// content is an object as JSON has it. It shares nothing with the object.
func content(object any) (o Object, err error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return o, json.Unmarshal(text, &o)
}
