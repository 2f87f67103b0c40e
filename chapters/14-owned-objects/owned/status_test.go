package owned_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// waiting is a memory that always waits, so that a run only writes the status.
type waiting struct{ owned.Nothing }

func (waiting) Late(types.UID) (bool, time.Duration, error) { return true, time.Minute, nil }

// in is a phase, and what a Process has ended with.
func in(phase v1alpha1.Phase, code ...int32) func(*v1alpha1.Process) {
	return func(p *v1alpha1.Process) {
		p.Status.Phase = phase
		if len(code) > 0 {
			p.Status.ExitCode = &code[0]
		}
	}
}

// said is a condition in one line.
func said(set *v1alpha1.ProcessSet, condition string) string {
	c := meta.FindStatusCondition(set.Status.Conditions, condition)
	if c == nil {
		return "nothing"
	}
	text := string(c.Status) + " " + c.Reason
	if c.Message != "" {
		text += ": " + c.Message
	}
	return text
}

// A row of what there is has one reason and one message. All is about the spec's generation, and a second run, an hour
// later, writes nothing.
func TestStatus(t *testing.T) {
	const goesOn = "False GoesOn"
	forbidden := apierrors.NewForbidden(processes, "web-1", errors.New("the quota is used up"))
	invalid := apierrors.NewInvalid(v1alpha1.GroupVersion.WithKind("Process").GroupKind(), "web-1", nil)
	for name, c := range map[string]struct {
		replicas int32
		children []client.Object
		deleted  bool
		refusal  error
		runs     int32
		ready    string
		stalled  string
	}{
		"all run": {replicas: 2, children: []client.Object{child("web-0", runs), child("web-1", runs)}, runs: 2,
			ready: "True AllRun: 2 of 2 Processes run", stalled: goesOn},
		"none is wanted": {ready: "True AllRun: 0 of 0 Processes run", stalled: goesOn},
		"two start": {replicas: 3, children: []client.Object{child("web-0", runs), child("web-1"),
			child("web-2", in(v1alpha1.PhaseRestarting, 1))}, runs: 1,
			ready: "False Starting: 1 of 3 Processes run; not yet: web-1, web-2", stalled: goesOn},
		"some ended, and one starts": {replicas: 4, children: []client.Object{
			child("web-0", in(v1alpha1.PhaseFailed, 3)), child("web-1", in(v1alpha1.PhaseFailed)),
			child("web-2", in(v1alpha1.PhaseSucceeded, 0)), child("web-3")},
			ready: "False Ended: 0 of 4 Processes run; web-0 has ended with exit code 3, web-1 is Failed, " +
				"web-2 has ended with exit code 0",
			stalled: "True Ended: not started again: web-0 has ended with exit code 3, " +
				"web-1 is Failed, web-2 has ended with exit code 0"},
		"too few": {replicas: 2, children: []client.Object{child("web-0", runs), child("web-1", runs, slow)}, runs: 1,
			ready: "False TooFew: there are 1 Processes, and 2 are wanted", stalled: goesOn},
		"too many": {replicas: 1, children: []client.Object{child("web-0", runs), child("web-1", runs)}, runs: 2,
			ready: "False TooMany: there are 2 Processes, and 1 are wanted", stalled: goesOn},
		"refused": {replicas: 2, children: []client.Object{child("web-0", runs)}, runs: 1,
			refusal: errors.New("the server is down"),
			ready:   "False Refused: 1 of 2 Processes run; create a Process of web: the server is down",
			stalled: goesOn},
		"forbidden": {replicas: 2, children: []client.Object{child("web-0", runs)}, refusal: forbidden, runs: 1,
			ready: "False Refused: 1 of 2 Processes run; create a Process of web: " + forbidden.Error(),
			stalled: "True Refused: the API server has refused a request: create a Process of web: " +
				forbidden.Error()},
		"invalid": {replicas: 2, children: []client.Object{child("web-0", runs)}, refusal: invalid, runs: 1,
			ready: "False Refused: 1 of 2 Processes run; create a Process of web: " + invalid.Error(),
			stalled: "True Refused: the API server has refused a request: create a Process of web: " +
				invalid.Error()},
		"going": {replicas: 2, children: []client.Object{child("web-0", runs)}, deleted: true, runs: 1,
			ready:   "False Deleting: the set is being deleted, and no Process is made for it any more",
			stalled: goesOn},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				set := web(c.replicas)
				if c.deleted {
					going(set)
				}
				s := newSite(t, append(c.children, set)...)
				r := s.controller(func(p *owned.Parts) {
					if p.Memory = (owned.Nothing{}); c.refusal == nil {
						p.Memory = waiting{}
					}
				})
				s.refuses["create web-1"], s.refuses["create web-0"] = c.refusal, c.refusal
				for range 2 {
					_, err := s.run(t, r)
					require.Equal(t, c.refusal != nil, err != nil, "%v", err)
					time.Sleep(time.Hour)
				}
				require.Equal(t, 1, s.saves)
				now := s.set(t)
				require.Equal(t, c.ready, said(now, v1alpha1.ConditionReady))
				require.Equal(t, c.stalled, said(now, v1alpha1.ConditionStalled))
				require.Equal(t, c.runs, now.Status.ReadyReplicas)
				require.Equal(t, "app=web", now.Status.Selector)
				require.Equal(t, []int64{7, 7, 7}, generations(now))
			})
		})
	}
}

// generations are those of the status, and of each condition.
func generations(set *v1alpha1.ProcessSet) []int64 {
	all := []int64{set.Status.ObservedGeneration}
	for _, c := range set.Status.Conditions {
		all = append(all, c.ObservedGeneration)
	}
	return all
}

// A new spec is a new generation, also if all else is as it was: whoever waits for the status sees that it is about it.
// When a condition was last another one does not change with it.
func TestANewGeneration(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s := newSite(t, web(1), child("web-0", runs))
		_, err := s.run(t, s.controller())
		require.NoError(t, err)
		before := s.set(t)
		changed := s.set(t)
		changed.Generation++
		require.NoError(t, s.Update(t.Context(), changed))
		time.Sleep(time.Hour)
		_, err = s.run(t, s.controller())
		require.NoError(t, err)
		require.Equal(t, []int64{8, 8, 8}, generations(s.set(t)))
		since := func(set *v1alpha1.ProcessSet) metav1.Time { return set.Status.Conditions[0].LastTransitionTime }
		require.True(t, since(before).Time.Equal(since(s.set(t)).Time))
	})
}

// A deletion that is forbidden says nothing about the template.
func TestARefusedDeletion(t *testing.T) {
	s := newSite(t, web(0), child("web-0", runs))
	s.refuses["delete web-0, uid of web-0"] = apierrors.NewForbidden(processes, "web-0", errors.New("by a policy"))
	_, err := s.run(t, s.controller())
	require.True(t, apierrors.IsForbidden(err), "%v", err)
	require.Contains(t, said(s.set(t), v1alpha1.ConditionReady), "False Refused: 1 of 0 Processes run; delete web-0: ")
	require.NotContains(t, said(s.set(t), v1alpha1.ConditionStalled), "the template")
}
