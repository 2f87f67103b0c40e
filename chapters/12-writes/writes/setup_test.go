package writes_test

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// known are the kinds of these tests.
func known() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	utilruntime.Must(v1alpha1.AddToScheme(all))
	return all
}

type object = writes.Object

// values draws what JSON may hold, without null: an object that is stored has none. Names repeat, so that two values
// have something in common, and some need to be escaped.
func values(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "null"}), anything[string]),
		rapid.Map(rapid.Bool(), anything[bool]),
		rapid.Map(rapid.SampledFrom([]float64{0, 1, 1.5}), anything[float64]),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	return rapid.OneOf(append(leaf,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 3), func(all []any) any { return all }),
		rapid.Map(objects(depth-1), anything[object]),
		rapid.Map(objects(depth-1), anything[object]))...)
}

func anything[T any](value T) any { return value }

func objects(depth int) *rapid.Generator[object] {
	names := rapid.SampledFrom([]string{"a", "b", "c/d", "e~f", "", "~1"})
	return rapid.MapOfN(names, values(depth), 0, 4)
}

// again is a value as it comes back from text.
func again(t rapid.TB, value any) (o any) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// asText is a value as JSON.
func asText(t rapid.TB, value any) []byte {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
