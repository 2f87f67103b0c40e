// Stage 4 (hard): many objects, many goroutines

package statemap_test

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/1-statemap"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// few and many are how many objects there are, when a call is timed.
const few, many = 16, 1 << 11

// The opening: what a call costs must not depend on how many objects there are. A map is asked so often that a clock's
// tick is no matter, and the fastest of several times is what counts, since a machine has other things to do.
func TestManyObjects(t *testing.T) {
	exercise.Attempted(t)
	maps := [2]*Map{filled(few), filled(many)}
	objects := names(few)
	for _, c := range []struct {
		name string
		call func(m *Map, i int)
	}{
		{"ByObject", func(m *Map, i int) { m.ByObject(objects[i]) }},
		{"ByRun", func(m *Map, i int) { m.ByRun(Run{"a", i + 1}) }},
		{"Update", func(m *Map, i int) { _ = m.Update(objects[i], Run{"a", i + 1}, State{}) }},
		{"Put", func(m *Map, i int) { _ = m.Put(objects[i], Run{"b", i + 1}, State{}) }},
		{"Delete", func(m *Map, i int) { m.Delete(objects[i]) }},
	} {
		took := [2]time.Duration{math.MaxInt64, math.MaxInt64}
		for range 8 {
			for i, m := range maps {
				began := time.Now()
				for n := range 48 {
					c.call(m, n%few)
				}
				took[i] = min(took[i], time.Since(began))
				fill(m, objects)
			}
		}
		times := int(took[1] / max(took[0], 1))
		exercise.Expect(t, times < 20, exercise.Verdict{
			Expected: fmt.Sprintf("%s takes as long among %d objects as among %d, or a little longer", c.name, many,
				few),
			Happened: fmt.Sprintf("it took %d times as long", times),
		})
	}
}

// filled is a map of so many objects.
func filled(n int) *Map {
	m := New()
	fill(m, names(n))
	return m
}

func fill(m *Map, objects []types.NamespacedName) {
	for i, object := range objects {
		_ = m.Put(object, Run{"a", i + 1}, State{})
	}
}

func names(n int) (all []types.NamespacedName) {
	for i := range n {
		all = append(all, types.NamespacedName{Namespace: "north", Name: fmt.Sprintf("web-%d", i)})
	}
	return all
}

// Two calls that nothing orders, for every two methods. It is the race detector that has something to say.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	calls := []func(*Map){
		func(m *Map) { _ = m.Put(web, Run{"a", 2}, State{}) },
		func(m *Map) { _ = m.Update(web, Run{"a", 1}, State{}) },
		func(m *Map) { m.Delete(web) },
		func(m *Map) { m.ByObject(web) },
		func(m *Map) { m.ByRun(Run{"a", 1}) },
	}
	for _, one := range calls {
		for _, other := range calls {
			m := New()
			_ = m.Put(web, Run{"a", 1}, State{Exits: []int{1}})
			together(func() { one(m) }, func() { other(m) })
		}
	}
}

// together has all of them done at once.
func together(all ...func()) {
	var done sync.WaitGroup
	for _, f := range all {
		done.Go(f)
	}
	done.Wait()
}

func TestTwoMaps(t *testing.T) {
	exercise.Attempted(t)
	one, other := New(), New()
	_ = one.Put(web, Run{"a", 1}, State{})
	_, _, found := other.ByObject(web)
	_, _, foundByRun := other.ByRun(Run{"a", 1})
	exercise.Expect(t, !found && !foundByRun, exercise.Verdict{
		Expected: "of two Maps one knows of north/web, with a/1; the other finds neither of them",
		Happened: "it found them",
	})
}
