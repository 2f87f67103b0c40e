package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// State of the lasting control plane.
type State string

// The states that [Status] tells apart.
const (
	Absent  State = "absent"  // there is none
	Running State = "running" // it answers
	Failed  State = "failed"  // a server died, so everything was stopped
	Gone    State = "gone"    // its supervisor was killed, or the machine restarted
	Hung    State = "hung"    // its supervisor is there and does not answer
	Damaged State = "damaged" // its description can't be read
	Expired State = "expired" // it answers, but its certificates are too old to use it
	// Unusable says that it answers, and that its kubeconfig or its description was changed since it was written.
	Unusable State = "unusable"
)

// Report says what [Status] found.
type Report struct {
	State State
	// Why completes "The control plane ...", for every state but Running and Absent.
	Why string
	// Plane is what is known of it, nil for Absent and Damaged.
	Plane *plane.Plane
	// Processes are the servers' process ids, for Running and Unusable.
	Processes map[plane.Component]int
	// Busy is what another command is doing to it at the moment, else empty: "make up, process 4711".
	Busy string
	// Kept is the path of a kubeconfig that [Down] left alone, because no control plane of ours has written it, else
	// empty.
	Kept string
}

// Status says what runs. It changes nothing, and makes no file.
func Status(ctx context.Context) (*Report, error) {
	lab, err := labDir()
	if err != nil {
		return nil, err
	}
	r, err := report(ctx, lab)
	if err != nil {
		return nil, err
	}
	if note, held := filelock.Held(filepath.Join(lab, "lock")); held {
		r.Busy = plane.Printable(note)
	}
	return r, nil
}

func report(ctx context.Context, lab string) (*Report, error) {
	p, err := plane.ReadOwn(lab)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Report{State: Absent}, nil
	case errors.Is(err, plane.ErrDamaged):
		return reportDamage(ctx, lab, err)
	case err != nil:
		return nil, adviseState(lab, fmt.Errorf("read the state of the control plane: %w", err))
	case p.Failure != nil:
		return reportFailure(p), nil
	}
	asking, cancel := context.WithTimeout(ctx, plane.AskTimeout)
	defer cancel()
	reply, err := plane.Ask(asking, p.Dir, plane.Request{Op: plane.OpStatus})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return &Report{State: Hung, Plane: p,
			Why: fmt.Sprintf("has a supervisor (process %d) that does not answer within %v",
				p.Supervisor, plane.AskTimeout)}, nil
	case errors.Is(err, plane.ErrForeign), errors.Is(err, plane.ErrStranger):
		return &Report{State: Damaged, Why: unusable + err.Error()}, nil
	case err != nil:
		return reportEnd(lab, &Report{State: Gone, Plane: p, Why: "is gone: " + goneBecause(err)})
	}
	running, err := plane.Believe(reply.Plane, p.Dir, lab)
	switch {
	case errors.Is(err, plane.ErrKubeconfig):
		return &Report{State: Unusable, Plane: p, Processes: reply.Processes,
			Why: unusableThough + err.Error()}, nil
	case err != nil:
		return &Report{State: Damaged, Why: unusable + err.Error()}, nil
	case time.Now().After(p.Expires):
		return &Report{State: Expired, Plane: running, Why: "has certificates that have expired"}, nil
	}
	return &Report{State: Running, Plane: running, Processes: reply.Processes}, nil
}

// unusable begins the reason of a control plane that is Damaged.
const unusable = "left a description that can't be used: "

// unusableThough begins the reason of one that is Unusable.
const unusableThough = "can't be used, though it runs: "

// reportEnd looks once more at the state of a control plane that does not answer: it may have ended between our reading
// and our asking, and have left why.
func reportEnd(lab string, gone *Report) (*Report, error) {
	p, err := plane.ReadOwn(lab)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Report{State: Absent}, nil
	case err == nil && p.Failure != nil:
		return reportFailure(p), nil
	}
	return gone, nil
}

func reportFailure(p *plane.Plane) *Report {
	return &Report{State: Failed, Plane: p,
		Why: fmt.Sprintf("has stopped, because %s %s", p.Failure.Component, p.Failure.Cause)}
}
