package deletion_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// What becomes of each object: who is called, in which order, and which finalizers it has in the end.
func TestWhatIsDone(t *testing.T) {
	added, removed := "finalizers [example.com/another scratch.example.com/ours]", "finalizers [example.com/another]"
	for name, c := range map[string]struct {
		object *v1alpha1.Process
		ours   bool
		done   []string
		left   []string
	}{
		"new":                        {process(other), true, []string{added}, []string{other, key}},
		"guarded":                    {process(key), true, []string{"next"}, []string{key}},
		"deleted":                    {going(key, other), true, []string{"next", "clean", removed}, []string{other}},
		"deleted, and the last one":  {going(key), true, []string{"next", "clean", "finalizers []"}, nil},
		"deleted before it was ours": {going(other), true, []string{"next"}, []string{other}},
		"gone":                       {nil, true, []string{"next"}, nil},
		"somebody else's":            {process(other), false, []string{"next"}, []string{other}},
		"moved away":                 {process(other, key), false, []string{"next", "clean", removed}, []string{other}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			if c.object != nil {
				s = newServer(t, c.object)
			}
			g := s.guard()
			g.Ours = func(client.Object) bool { return c.ours }
			_, err := g.Reconcile(t.Context(), request())
			require.NoError(t, err)
			require.Equal(t, c.done, s.noted())
			p := s.get()
			require.Equal(t, c.left == nil, p == nil)
			if p != nil {
				require.Equal(t, c.left, p.Finalizers)
			}
		})
	}
}

// While something fails, or is waited for, the finalizer stays, and the object says what it is. The next run begins
// anew.
func TestWhatFailsKeepsTheFinalizer(t *testing.T) {
	s := newServer(t, going(key))
	g, full := s.guard(), errors.New("no space left on device")
	s.fails["next"] = full
	_, err := g.Reconcile(t.Context(), request())
	require.ErrorIs(t, err, full)
	require.Equal(t, []string{"next"}, s.noted(), "what runs is stopped before anything else")

	s.fails["clean"] = full
	_, err = g.Reconcile(t.Context(), request())
	require.ErrorIs(t, err, full)
	require.EqualError(t, err, "clean up web, Clean: no space left on device")
	require.Equal(t, []string{"next", "clean", "status"}, s.noted())
	said := meta.FindStatusCondition(s.get().Status.Conditions, deletion.ConditionCleanedUp)
	require.Equal(t, "False Clean no space left on device", string(said.Status)+" "+said.Reason+" "+said.Message)

	s.fails["clean"] = &deletion.Waiting{For: "process 7 to end", After: time.Minute}
	result, err := g.Reconcile(t.Context(), request())
	require.NoError(t, err, "to wait is no failure")
	require.Equal(t, time.Minute, result.RequeueAfter)
	said = meta.FindStatusCondition(s.get().Status.Conditions, deletion.ConditionCleanedUp)
	require.Equal(t, "waits for process 7 to end", said.Message)
	s.noted()

	s.fails["clean"] = &deletion.Waiting{For: "process 7 to end", After: time.Minute}
	_, err = g.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, []string{"next", "clean"}, s.noted(), "a status that says nothing new is not written")

	_, err = g.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.Nil(t, s.get())
}

// Next and Clean both may ask to be called again: the sooner time counts.
func TestTheSoonerTime(t *testing.T) {
	for _, c := range []struct{ next, clean, want time.Duration }{
		{0, 0, 0}, {time.Second, 0, time.Second}, {0, time.Minute, time.Minute},
		{time.Second, time.Minute, time.Second}, {time.Hour, time.Minute, time.Minute},
	} {
		s := newServer(t, going(key))
		g := s.guard()
		g.Next = reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{RequeueAfter: c.next}, nil
		})
		s.fails["clean"] = &deletion.Waiting{After: c.clean}
		result, err := g.Reconcile(t.Context(), request())
		require.NoError(t, err)
		require.Equal(t, c.want, result.RequeueAfter, "%v", c)
	}
}

// cache is a reader that is late: it has this.
type cache struct {
	client.Client
	has *v1alpha1.Process
}

func (c cache) Get(_ context.Context, _ client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	c.has.DeepCopyInto(into.(*v1alpha1.Process))
	return nil
}

// A cache that is late leads to no write: what is to be written is decided on what the API server has.
func TestALateCache(t *testing.T) {
	another := going(key)
	another.UID = "u2"
	for name, c := range map[string]struct {
		cached, now *v1alpha1.Process
		done        []string
	}{
		"it has the finalizer by now":      {process(), process(key), nil},
		"it is being deleted by now":       {process(), going(other), nil},
		"it is gone by now":                {process(), nil, nil},
		"the finalizer is gone by now":     {going(key, other), going(other), []string{"next"}},
		"its name is another's by now":     {going(key), another, []string{"next"}},
		"its deletion has ended by now":    {going(key), nil, []string{"next"}},
		"its name was another's, as new":   {process(), another, nil},
		"it is being deleted, and guarded": {process(key), going(key), []string{"next"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			if c.now != nil {
				s = newServer(t, c.now)
			}
			g := s.guard()
			g.Over = cache{s, c.cached}
			_, err := g.Reconcile(t.Context(), request())
			require.NoError(t, err)
			require.Equal(t, c.done, s.noted())
		})
	}
}

// Somebody writes between the read and the patch. Nothing of theirs is lost: the patch is refused, and is made anew in
// the next run.
func TestSomebodyWritesInBetween(t *testing.T) {
	for name, p := range map[string]*v1alpha1.Process{"adding": process(), "removing": going(key)} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, p)
			g := s.guard()
			once := true
			g.Live = live{s, func() {
				if once {
					theirs := s.get()
					theirs.Labels = map[string]string{"by": "somebody"}
					require.NoError(t, s.Update(t.Context(), theirs))
				}
				once = false
			}}
			_, err := g.Reconcile(t.Context(), request())
			require.True(t, apierrors.IsConflict(err), "%v", err)
			require.Equal(t, "somebody", s.get().Labels["by"])
			_, err = g.Reconcile(t.Context(), request())
			require.NoError(t, err)
			if name == "adding" {
				require.Equal(t, []string{key}, s.get().Finalizers)
			} else {
				require.Nil(t, s.get())
			}
		})
	}
}

// live is a reader after which something happens.
type live struct {
	client.Reader
	after func()
}

func (l live) Get(ctx context.Context, at client.ObjectKey, into client.Object, o ...client.GetOption) error {
	err := l.Reader.Get(ctx, at, into, o...)
	l.after()
	return err
}

// An object that is gone when the finalizer is to be taken out is what was wanted. Another refusal is a failure.
func TestAnswersToThePatch(t *testing.T) {
	processes := schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: "processes"}
	s := newServer(t, going(key))
	s.fails["finalizers []"] = apierrors.NewNotFound(processes, "web")
	_, err := s.guard().Reconcile(t.Context(), request())
	require.NoError(t, err)
	s.fails["finalizers []"] = apierrors.NewForbidden(processes, "web", errors.New("a webhook says no"))
	_, err = s.guard().Reconcile(t.Context(), request())
	require.True(t, apierrors.IsForbidden(err))
	require.ErrorContains(t, err, "the finalizer scratch.example.com/ours of web: ")
	s.fails["status"], s.fails["clean"] = apierrors.NewServiceUnavailable("busy"), errors.New("no space left")
	_, err = s.guard().Reconcile(t.Context(), request())
	require.ErrorContains(t, err, "no space left")
	require.ErrorContains(t, err, "busy")
}
