package main

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// held makes an object with a finalizer, deletes it, and reads it.
func held(ctx context.Context, w *scenario.World, o client.Object) error {
	if err := w.User.Create(ctx, o); err != nil {
		return err
	}
	if err := w.User.Delete(ctx, o); err != nil {
		return err
	}
	return w.User.Get(ctx, client.ObjectKeyFromObject(o), o)
}

// addedTooLate is -fault added-too-late: a process that nothing holds.
func (t *tour) addedTooLate(ctx context.Context, l *lab.Lab) error {
	life := scenario.Life{Late: true, DieAfter: "Start"}
	return t.under(ctx, l, life, func(w *scenario.World, c *running.Controller) error {
		p := w.Process("lost", "sleep", "600")
		if err := w.User.Create(ctx, p); err != nil {
			return err
		}
		if err := c.Ended(ctx); err != nil {
			return err
		}
		seen, err := w.Machine.Look(p.UID)
		if err != nil {
			return err
		}
		l.Became("the controller has started pid %d, and is dead", seen.Identity.PID)
		if err := w.User.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
		l.Became("finalizers of lost: %v", p.Finalizers)
		l.Say("Somebody deletes it:")
		if err := w.User.Delete(ctx, p); err != nil {
			return err
		}
		l.Wire("%s", scenario.Code(w.User.Get(ctx, client.ObjectKeyFromObject(p), p)))
		if _, there := running.PS(seen.Identity.PID); !there {
			return fmt.Errorf("pid %d has ended", seen.Identity.PID)
		}
		l.Became("the object is gone, and pid %d runs", seen.Identity.PID)
		l.Say("Another controller begins:")
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := dead(ctx, seen.Identity.PID); err != nil {
			return err
		}
		l.Became("ps has no pid %d", seen.Identity.PID)
		l.Conclude("Here the machine's folder says whose the process was, so the next controller finds it. A bucket in a cloud says " +
			"nothing and costs money until somebody asks why. So the finalizer comes first, in a request of its own that has " +
			"succeeded. A finalizer for something that was not made costs one look.")
		return nil
	})
}

// noGuard is -fault no-guard: a finalizer that comes too late, again and again.
func (t *tour) noGuard(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "held",
			Finalizers: []string{"example.com/another"}}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
		err := held(ctx, w, p)
		if err != nil {
			return err
		}
		l.Became("%s is being deleted, with the finalizers %v", p.Name, p.Finalizers)
		l.Say("For three seconds a run, as many have it: if !controllerutil.ContainsFinalizer, AddFinalizer and Update:")
		limiter, refusals := workqueue.DefaultTypedControllerRateLimiter[string](), 0
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
			var now v1alpha1.Process
			if err := w.User.Get(ctx, client.ObjectKeyFromObject(p), &now); err != nil {
				return err
			}
			controllerutil.AddFinalizer(&now, scenario.Mine)
			err = w.User.Update(ctx, &now)
			if err == nil {
				return fmt.Errorf("the API server has accepted a finalizer of %s, which is being deleted", p.Name)
			}
			refusals++
			select {
			case <-time.After(min(limiter.When(p.Name), time.Until(end))):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		l.Say("%s, %d times: %v", scenario.Code(err), refusals, err)
		if err := patched(ctx, w, p, `{"metadata":{"finalizers":null}}`); err != nil {
			return err
		}
		l.Conclude("A run that fails comes again, later each time and without an end: nothing that it does can succeed. The " +
			"deletionTimestamp is looked at before the finalizer. An object that is being deleted and does not have our finalizer " +
			"is none of our business.")
		return nil
	})
}

// crashAfterCleanup is -fault crash-after-cleanup: each step is done twice.
func (t *tour) crashAfterCleanup(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{DieAfter: "Forget"}, func(w *scenario.World, c *running.Controller) error {
		p := w.Process("diary", "sh", "-c", "echo dear diary; exec sleep 600")
		track, seen, err := runs(ctx, w, p, became(l))
		if err != nil {
			return err
		}
		if err := w.User.Delete(ctx, p); err != nil {
			return err
		}
		if err := track.Until(ctx, func(p *v1alpha1.Process) bool { // nothing else is saved before its end
			return p.Status.Phase == v1alpha1.PhaseTerminating && p.Status.ExitCode != nil
		}); err != nil {
			return err
		}
		if err := c.Ended(ctx); err != nil {
			return err
		}
		if err := t.cleaned(ctx, l, w, p, seen.Identity.PID); err != nil {
			return err
		}
		l.Say("Another controller begins with the first step again:")
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := track.Until(ctx, func(*v1alpha1.Process) bool { return track.Gone }); err != nil {
			return err
		}
		log, err := kept(w, p)
		if err != nil {
			return err
		}
		l.Became("diary is gone; its log is what it was: %s", strings.TrimSpace(log))
		l.Say("A step that expects to be done once reads the log where it was, and fails when it is not there. A step that writes " +
			"what it finds keeps an empty log:")
		again, err := w.Machine.Log(p.UID)
		l.Wire("the machine's log of diary by now: %q, error %v", again, err)
		l.Conclude("Between a clean-up and the request that says so there is always a moment, and a controller can die in it. Each step " +
			"has to take its own success for an answer: what is stopped is stopped, what was kept is not written again, what " +
			"is not found is gone.")
		return nil
	})
}

// cleaned shows what a dead controller has left.
func (t *tour) cleaned(ctx context.Context, l *lab.Lab, w *scenario.World, p *v1alpha1.Process, pid int) error {
	if err := w.User.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
		return err
	}
	log, err := kept(w, p)
	if err != nil {
		return err
	}
	if _, there := running.PS(pid); there {
		return fmt.Errorf("pid %d still runs", pid)
	}
	l.Became("the controller is dead; so is pid %d; the log is kept: %s", pid, strings.TrimSpace(log))
	l.Became("finalizers of diary: %v", p.Finalizers)
	return nil
}

// controllerGone is -fault controller-gone: a finalizer that nobody takes out.
func (t *tour) controllerGone(ctx context.Context, l *lab.Lab) error {
	return t.hung(ctx, l, func(w *scenario.World, name string) error {
		all, err := w.Machine.List()
		if err != nil || len(all) != 1 {
			return fmt.Errorf("the machine should have one process, not %d: %w", len(all), err)
		}
		p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: all[0].Spec.Object.Name}}
		l.Command("%s patch process %s --type=merge -p '{\"metadata\":{\"finalizers\":null}}'", w.Lab.Alias(), p.Name)
		if err := patched(ctx, w, p, `{"metadata":{"finalizers":null}}`); err != nil {
			return err
		}
		if err := namespaceGone(ctx, w, name); err != nil {
			return err
		}
		pid := all[0].Identity.PID
		if _, there := running.PS(pid); !there {
			return fmt.Errorf("pid %d has ended", pid)
		}
		l.Became("namespace %s is gone, and pid %d runs", name, pid)
		l.Conclude("A finalizer is a promise of somebody who is no more. To take it out by hand breaks it: the object goes, and what it " +
			"stood for stays. The command is right only when you have done the clean-up yourself. (The demo ends the process now.)")
		return nil
	})
}

// staleRemove is -fault stale-remove: an update of an object that is gone.
func (t *tour) staleRemove(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		meta := metav1.ObjectMeta{Namespace: l.Namespace, Name: "held", Finalizers: []string{scenario.Mine}}
		process := &v1alpha1.Process{ObjectMeta: meta, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
		for _, o := range []client.Object{process, &coordinationv1.Lease{ObjectMeta: meta}} {
			if err := held(ctx, w, o); err != nil {
				return err
			}
			stale, _ := o.DeepCopyObject().(client.Object)
			l.Say("A %s is being deleted. Update takes the finalizer out, and then once more, from a stale copy:",
				reflect.TypeOf(o).Elem().Name())
			for _, read := range []client.Object{o, stale} {
				controllerutil.RemoveFinalizer(read, scenario.Mine)
				err := w.User.Update(ctx, read)
				l.Wire("%s", scenario.Code(err))
				if err != nil {
					l.Say("%v", err)
				}
			}
		}
		l.Conclude("The object is gone, which is what was wanted. For most kinds the answer is NotFound, and that is success. For a " +
			"kind whose update may make an object, such as a Lease, it is a conflict, with words that sound like a broken " +
			"store: the UID of what was read is compared with that of nothing. The next run reads, and finds nothing to do.")
		return nil
	})
}

// someoneElses is -fault someone-elses: a list that was replaced.
func (t *tour) someoneElses(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		p := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "shared",
			Finalizers: []string{"example.com/backup"}}}
		if err := w.User.Create(ctx, p); err != nil {
			return err
		}
		l.Say("The controller mine reads %v, and wants to add its own. Meanwhile example.com/billing adds its own:", p.Finalizers)
		read := slices.Clone(p.Finalizers)
		if err := patched(ctx, w, p.DeepCopy(),
			`{"metadata":{"finalizers":["example.com/backup","example.com/billing"]}}`); err != nil {
			return err
		}
		body := fmt.Sprintf(`{"metadata":{"finalizers":[%q,%q]}}`, read[0], scenario.Mine)
		l.Wire("%s: %v", body, scenario.Code(patched(ctx, w, p, body)))
		l.Became("finalizers: %v", p.Finalizers)
		l.Conclude("A merge patch has no words for \"add this one\": a list is a value, and the last writer's is the whole truth. billing has " +
			"made something by now, and will never hear of the deletion. With the resourceVersion in the patch the answer is 409.")
		return patched(ctx, w, p, `{"metadata":{"finalizers":null}}`)
	})
}
