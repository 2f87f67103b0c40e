package scenario

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4" // which the API server uses: others refuse what it accepts
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// versionOf is an object's resourceVersion, which of one object's grows.
func versionOf(o Object) int {
	text, _ := field(o, "metadata", "resourceVersion").(string)
	n, _ := strconv.Atoi(text)
	return n
}

func inOrder(all []Accepted) []Accepted {
	slices.SortFunc(all, func(a, b Accepted) int { return cmp.Compare(versionOf(a.After), versionOf(b.After)) })
	return all
}

// Replay does to the object of a race, one after the other, what each accepted write says, and compares what comes of
// it with each answer and with the end. So it knows whether the API server has lost anything by itself: it has not,
// and what is lost was overwritten by a write that came later and was accepted.
func (t Tally) Replay() error {
	object, owners := t.First, map[int]bool{}
	for i, a := range t.Accepted {
		if i > 0 && versionOf(a.After) == versionOf(t.Accepted[i-1].After) {
			return fmt.Errorf("two writes have the version %d", versionOf(a.After))
		}
		before := number(object, counterPath...)
		var err error
		if object, err = replayed(t.Way, object, a.Body); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
		if strings.HasPrefix(t.Way, "apply") {
			object = owned(object, before, a, owners)
		}
		if err := same(object, a.After); err != nil {
			return fmt.Errorf("write %d, of writer %d: %w", i, a.Writer, err)
		}
	}
	return same(object, t.Final)
}

// owned has an apply own the counter, or own it no more. One that nobody owns any more goes.
func owned(object Object, before int64, a Accepted, owners map[int]bool) Object {
	was := len(owners) > 0
	delete(owners, a.Writer)
	if a.Counted {
		if number(object, counterPath...) != before {
			clear(owners) // they have said something else
		}
		owners[a.Writer] = true
	}
	if was && len(owners) == 0 {
		object = writes.Merge(object, Object{"template": Object{"spec": Object{"activeDeadlineSeconds": nil}}})
	}
	return object
}

// replayed does to an object what a write of this way says.
func replayed(way string, object Object, body []byte) (after Object, err error) {
	before, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var text []byte
	switch way {
	case "update", "update without a version":
		text = body
	case "strategic merge patch":
		text, err = strategicpatch.StrategicMergePatch(before, body, corev1.PodTemplate{})
	case "JSON patch", "JSON patch, values tested", "JSON patch, version tested":
		return replayedJSONPatch(before, body)
	default: // what is applied is merged, too, and owned does what else there is to it
		text, err = jsonpatch.MergePatch(before, body)
	}
	if err != nil {
		return nil, err
	}
	return after, json.Unmarshal(text, &after)
}

// replayedJSONPatch leaves out the tests of versions, which are not replayed.
func replayedJSONPatch(before, body []byte) (after Object, err error) {
	var all []writes.Operation
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o writes.Operation) bool {
		return o.Op == "test" && o.Path == "/metadata/resourceVersion"
	})
	raw, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(raw)
	if err != nil {
		return nil, err
	}
	text, err := patch.Apply(before)
	if err != nil {
		return nil, err
	}
	return after, json.Unmarshal(text, &after)
}

// same compares what writers write.
func same(a, b Object) error {
	for _, path := range [][]string{{"metadata", "annotations"}, {"template"}} {
		if !reflect.DeepEqual(asJSON(field(a, path...)), asJSON(field(b, path...))) {
			return fmt.Errorf("%v is %v, and not %v", path, asJSON(field(b, path...)), asJSON(field(a, path...)))
		}
	}
	return nil
}

// asJSON is a value with its numbers as text has them.
func asJSON(value any) (again any) {
	raw, _ := json.Marshal(value)
	_ = json.Unmarshal(raw, &again)
	return again
}
