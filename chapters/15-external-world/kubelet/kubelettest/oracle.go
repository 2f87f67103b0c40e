package kubelettest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Wrong says what is not as it should be once nothing happens any more: what the machine has noted, a folder whose
// object is gone or another machine's, an object without the process it asks for, and a status that says something else
// than the machine.
func (s *Site) Wrong() (problems []string) {
	s.t.Helper()
	problems = s.Machine.Problems()
	var all v1alpha1.ProcessList
	if err := s.Client.List(s.t.Context(), &all, client.InNamespace(Namespace)); err != nil {
		return append(problems, err.Error())
	}
	mine := map[types.UID]bool{}
	for i := range all.Items {
		p := &all.Items[i]
		if p.Labels[kubelet.Label] != Name {
			continue
		}
		mine[p.UID] = true
		seen, err := s.Machine.Look(p.UID)
		if err != nil {
			return append(problems, err.Error())
		}
		for _, problem := range judge(p, seen) {
			problems = append(problems, fmt.Sprintf("%s (%s): %s; status %+v; the machine has %+v", p.Name, p.UID,
				problem, p.Status, seen))
		}
	}
	folders, err := s.Machine.List()
	if err != nil {
		return append(problems, err.Error())
	}
	for _, seen := range folders {
		if !mine[seen.Spec.UID] {
			problems = append(problems, fmt.Sprintf("%v is nobody's", seen))
		}
	}
	return problems
}

// judge compares an object and its status with what the machine has.
func judge(p *v1alpha1.Process, seen machine.Seen) (problems []string) {
	demand := func(right bool, what string) {
		if !right {
			problems = append(problems, what)
		}
	}
	status, running := &p.Status, seen.State == machine.Running
	demand(status.ObservedGeneration == p.Generation, "the status is of another generation")
	demand(status.Restarts == seen.Spec.Restarts, "the restarts differ")
	demand(meta.IsStatusConditionTrue(status.Conditions, v1alpha1.ConditionReady) ==
		(running && p.DeletionTimestamp == nil), "Ready")
	if p.DeletionTimestamp != nil {
		demand(!running && seen.State != machine.Starting, "it is being deleted, and runs")
		demand(status.Phase == v1alpha1.PhaseTerminating && status.PID == nil, "it is being deleted")
		return problems
	}
	demand(seen.Spec.Generation == p.Generation, "what runs, or has run, is of another generation")
	if running {
		demand(status.Phase == v1alpha1.PhaseRunning && ptr.Deref(status.PID, 0) == int32(seen.Identity.PID), "it runs")
		demand(status.StartedAt != nil && status.StartedAt.Unix() == seen.StartedAt.Unix(), "startedAt")
		return problems
	}
	demand(status.PID == nil, "it has a pid, and does not run")
	stalled := meta.IsStatusConditionTrue(status.Conditions, v1alpha1.ConditionStalled)
	if seen.Exit != nil && seen.Exit.Error != "" {
		demand(status.Phase == v1alpha1.PhaseFailed && stalled && status.ExitCode == nil, "it can't be started")
		return problems
	}
	return append(problems, judgeEnd(p, seen)...)
}

// judgeEnd says what is wrong about a process that has ended, and stays so.
func judgeEnd(p *v1alpha1.Process, seen machine.Seen) (problems []string) {
	if seen.State != machine.Ended && seen.State != machine.Lost {
		return []string{"nothing was started"}
	}
	policy, failed := p.Spec.RestartPolicy, seen.State == machine.Lost || ptr.Deref(seen.Exit.Code, 0) != 0
	switch {
	case policy == v1alpha1.RestartAlways,
		policy == v1alpha1.RestartOnFailure && failed &&
			(p.Spec.MaxRestarts == nil || seen.Spec.Restarts < *p.Spec.MaxRestarts):
		problems = append(problems, "it was not started again")
	}
	want := v1alpha1.PhaseSucceeded
	if failed {
		want = v1alpha1.PhaseFailed
	}
	if p.Status.Phase != want {
		problems = append(problems, fmt.Sprintf("the phase should be %s", want))
	}
	ready := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady)
	if lost := seen.State == machine.Lost; ready == nil || lost != (ready.Reason == v1alpha1.ReasonExitUnknown) ||
		lost != (p.Status.ExitCode == nil) || !lost && *p.Status.ExitCode != *seen.Exit.Code {
		problems = append(problems, "how it ended")
	}
	return problems
}
