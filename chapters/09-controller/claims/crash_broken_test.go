package claims

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
)

// What TestCrashes asks for is not had for nothing. A controller that remembers what it has made leaves what an earlier
// one made; one that takes a place takes what is in it.
func TestCrashesShow(t *testing.T) {
	t.Run("a memory that dies", func(t *testing.T) {
		require.Contains(t, strings.Join(afterARestart(t, "knows what it has made"), "\n"),
			"is a mirror that nobody wants")
		require.Empty(t, afterARestart(t, "client-go"))
	})
	t.Run("a place that is taken", func(t *testing.T) {
		w := crash.New(t)
		w.Put(w.Namespaces[1], "menu", "-", "of somebody")
		w.Put(w.Namespaces[0], "menu", mirror.Source, "one")
		w.Start(crash.Life{Controller: "takes what it needs"})
		require.True(t, w.Awaits(func() bool { return len(w.Touched()) > 0 }), "nobody has noticed")
		require.Contains(t, w.Touched()[0], "/menu at resourceVersion")
	})
}

// afterARestart says what is wrong when a source was deleted between two controllers, and the second has dealt with
// another one.
func afterARestart(t *testing.T, controller string) (problems []string) {
	w := crash.New(t)
	w.Put(w.Namespaces[0], "menu", mirror.Source, "one")
	_, stop := w.Start(crash.Life{Controller: controller})
	require.Empty(t, w.Converges())
	stop()
	w.Remove(w.Namespaces[0], "menu")
	w.Put(w.Namespaces[0], "rules", mirror.Source, "one")
	_, stop = w.Start(crash.Life{Controller: controller})
	defer stop()
	lacks := func(problem string) bool { return strings.Contains(problem, "has no mirror") }
	w.Awaits(func() bool {
		problems = w.State().Wrong(w.Group)
		return len(problems) == 0 || controller != "client-go" && !slices.ContainsFunc(problems, lacks)
	})
	return problems
}

// knowing deletes what it has made, and nothing else.
func knowing() mirror.Parts {
	parts, made := mirror.ClientGo(), &sync.Map{}
	parts.Reconcile = func(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
		return mirror.Reconcile(ctx, place, r, remembering{w, made})
	}
	return parts
}

type remembering struct {
	mirror.Writer
	made *sync.Map
}

func (w remembering) Create(ctx context.Context, c *corev1.ConfigMap) error {
	w.made.Store(mirror.Key{Namespace: c.Namespace, Name: c.Name}, true)
	return w.Writer.Create(ctx, c)
}

func (w remembering) Delete(ctx context.Context, place mirror.Key, only metav1.Preconditions) error {
	if _, mine := w.made.Load(place); !mine {
		return nil
	}
	return w.Writer.Delete(ctx, place, only)
}

// taking deletes what is in the place of a mirror.
func taking() mirror.Parts {
	parts := mirror.ClientGo()
	parts.Reconcile = func(ctx context.Context, place mirror.Key, r mirror.Reader, w mirror.Writer) error {
		err := mirror.Reconcile(ctx, place, r, w)
		if apierrors.IsAlreadyExists(err) {
			return w.Delete(ctx, place, metav1.Preconditions{})
		}
		return err
	}
	return parts
}
