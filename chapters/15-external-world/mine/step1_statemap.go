package main

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const sigkill = unix.SIGKILL

// isRunning says that a Process runs, after so many restarts.
func isRunning(restarts int32) func(*v1alpha1.Process) bool {
	return func(p *v1alpha1.Process) bool {
		return p.Status.Phase == v1alpha1.PhaseRunning && p.Status.Restarts == restarts
	}
}

// statemap is step 1: a process that is killed, and an object that is deleted.
func (r run) statemap(ctx context.Context, l *lab.Lab) error {
	yours := newStates()
	if missing := yours.missing(); missing != "" {
		l.Say("%s", missing)
	}
	return r.within(ctx, l, kubelet.Pieces{States: yours}, func() {}, func(ctx context.Context, p *place) error {
		web, err := p.Track(ctx, p.Process("web", "sleep", "60"), p.told)
		if err != nil {
			return err
		}
		if err := p.killed(ctx, web); err != nil {
			return wrong("15.1", "your Map keeps what the kubelet knows, and %v", err)
		}
		stale, err := p.found(yours, web.Now)
		if err != nil {
			return err
		}
		l.Say("Somebody deletes web.")
		if err := p.delete(ctx, "web"); err != nil {
			return err
		}
		if err := p.until(ctx, func() bool { return yours.len() == 0 }); err != nil {
			return wrong("15.1", "web is deleted, and the kubelet should forget it: %v", err)
		}
		byObject, byRun := yours.finds(p.key("web"), machine.Run{UID: web.Now.UID, Attempt: 2})
		switch {
		case !yours.deletes:
			unwritten(l, 2, "15.1", stale+"web is gone, and your Map still finds it")
		case byObject != "nothing" || byRun != "nothing":
			return wrong("15.1", "web is gone, and your Map finds %s under its name, and %s under attempt 2", byObject, byRun)
		default:
			l.Conclude("The end of attempt 1 was told by its run, and your Map knew whose it was. Then attempt 1 was nobody's, and in " +
				"the end nothing is left under either key.")
		}
		return nil
	})
}

// found shows what the Map finds after a restart.
func (p *place) found(yours *states, web *v1alpha1.Process) (stale string, err error) {
	rows := [][]string{{"key", "your Map finds"}}
	var found [3]string
	for attempt := 1; attempt <= 2; attempt++ {
		found[0], found[attempt] = yours.finds(p.key("web"), machine.Run{UID: web.UID, Attempt: attempt})
	}
	rows = append(rows, []string{"web", found[0]}, []string{"attempt 1", found[1]}, []string{"attempt 2", found[2]})
	p.lab.Table(rows...)
	switch {
	case found[0] != "attempt 2" || found[2] != "web":
		err = wrong("15.1", "web has attempt 2, and your Map finds %s under its name, and %s under attempt 2", found[0], found[2])
	case found[1] != "nothing" && yours.deletes:
		err = wrong("15.1", "web has attempt 2, and attempt 1 should find nothing: it finds %s", found[1])
	case found[1] != "nothing":
		stale = fmt.Sprintf("attempt 1 found %s after attempt 2 had begun, ", found[1])
	}
	return stale, err
}
