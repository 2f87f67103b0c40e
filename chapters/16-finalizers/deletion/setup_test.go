package deletion_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.BubbleLimit = 5 * time.Minute // of real time: a history computes for seconds, and other programs may run
	testkit.Main(m)
}

const (
	key   = "scratch.example.com/ours"
	other = "example.com/another"
)

// server is an API server in memory that notes, in order, what it is asked to write, and what the controllers on it do.
type server struct {
	client.WithWatch
	t     *testing.T
	notes []string
	fails map[string]error // what a request of that note is answered with, once
}

func newServer(t *testing.T, objects ...client.Object) *server {
	t.Helper()
	known := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(known))
	s := &server{t: t, fails: map[string]error{}}
	s.WithWatch = interceptor.NewClient(fake.NewClientBuilder().WithScheme(known).WithObjects(objects...).
		WithStatusSubresource(&v1alpha1.Process{}, &v1alpha1.ProcessSet{}).Build(), interceptor.Funcs{
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			if err := s.note("finalizers %v", o.GetFinalizers()); err != nil {
				return err
			}
			return over.Patch(ctx, o, p, options...)
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			if err := s.note("status"); err != nil {
				return err
			}
			return over.SubResource(sub).Patch(ctx, o, p, options...)
		},
		Delete: func(ctx context.Context, over client.WithWatch, o client.Object,
			options ...client.DeleteOption) error {
			if err := s.note("delete %s", o.GetName()); err != nil {
				return err
			}
			return over.Delete(ctx, o, options...)
		},
	})
	return s
}

// note notes something, and is the error that it is to fail with.
func (s *server) note(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	s.notes = append(s.notes, text)
	err := s.fails[text]
	delete(s.fails, text)
	return err
}

// noted are the notes, which begin anew.
func (s *server) noted() (notes []string) {
	notes, s.notes = s.notes, nil
	return notes
}

// guard is one over the server, whose Next and Clean make notes.
func (s *server) guard() *deletion.Guard {
	return &deletion.Guard{Key: key, Over: s, Live: s, New: func() client.Object { return new(v1alpha1.Process) },
		Next: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, s.note("next")
		}),
		Clean: deletion.Steps{{Name: "Clean", Do: func(context.Context, client.Object) error {
			return s.note("clean")
		}}}}
}

// nothing is a controller that does nothing.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// process is an object with finalizers; one that is being deleted has to have some.
func process(finalizers ...string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u1",
		Finalizers: slices.Clone(finalizers)}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// going is one that is being deleted.
func going(finalizers ...string) *v1alpha1.Process {
	p := process(finalizers...)
	p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	return p
}

func request() reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: "web"}}
}

// get is the object as it is on the server, or nil.
func (s *server) get() *v1alpha1.Process {
	s.t.Helper()
	var p v1alpha1.Process
	err := s.WithWatch.Get(s.t.Context(), request().NamespacedName, &p)
	require.NoError(s.t, client.IgnoreNotFound(err))
	if err != nil {
		return nil
	}
	return &p
}
