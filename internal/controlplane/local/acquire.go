package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// SharedEnv is the variable by which one program shares its control plane with those that it starts: the path of the
// kubeconfig. scripts/test sets it, so that the packages it tests use one control plane.
const SharedEnv = "SCRATCH_KUBECONFIG"

// Options for [Acquire].
type Options struct {
	// Controllers asks for kube-controller-manager too.
	Controllers bool
	// Private asks for a control plane that nobody else uses, for those who break it.
	Private bool
	// ServerFlags are more flags of a private control plane's API server, each as "name=value".
	ServerFlags []string
	// Display shows building and starting. Nil shows nothing.
	Display term.Display
}

// servers are those of each control plane.
var servers = []plane.Component{plane.Etcd, plane.KubeAPIServer}

// Built says whether the servers of a control plane without controllers are there, so that [Acquire] need not build
// them.
func Built() (bool, error) { return build.Built(servers...) }

// Build builds all that a control plane without controllers needs and that is not there, so that the next [Acquire]
// starts one at once.
func Build(ctx context.Context, show term.Display) error {
	_, _, err := prepare(ctx, order{show: show})
	return err
}

// Acquire finds or starts a control plane: the one that another program shares by [SharedEnv], or else the lasting one
// of `make up`, or else a private one, which ends with this program, also when this program is killed.
//
// When ctx ends before it is done, everything that was started is stopped again.
func Acquire(ctx context.Context, o Options) (*Instance, error) {
	show := o.Display
	if show == nil {
		show = term.Quiet()
	}
	if !o.Private {
		i, err := existing(ctx, show)
		if err != nil {
			return nil, err
		}
		if i != nil {
			return i, i.withControllers(ctx, o.Controllers, show)
		}
	}
	k, p, err := startPlane(ctx, order{controllers: o.Controllers, flags: o.ServerFlags, show: show})
	if err != nil {
		return nil, err
	}
	return own(k, p), nil
}

// existing returns the control plane that is shared with us or the lasting one, nil when there is none.
func existing(ctx context.Context, show term.Display) (*Instance, error) {
	if path := os.Getenv(SharedEnv); path != "" {
		return shared(ctx, path)
	}
	lab, err := labDir()
	if err != nil {
		return nil, err
	}
	p, err := plane.ReadOwn(lab)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, plane.ErrDamaged):
		show.Say("%v; using a private control plane. `make up` writes it anew.", err)
		return nil, nil
	case err != nil:
		show.Say("%v; using a private control plane.", err)
		return nil, nil
	case p.Failure != nil:
		show.Say("The control plane of `make up` has stopped: %s %s.", p.Failure.Component, p.Failure.Cause)
		show.Say("Using a private one. `make up` starts a new lasting one.")
		return nil, nil
	case time.Now().After(p.Expires):
		show.Say("The certificates of the control plane of `make up` have expired; using a private one.")
		show.Say("`make down` and `make up` make a new lasting one.")
		return nil, nil
	}
	i, err := join(ctx, p, lab)
	switch {
	case err == nil || ctx.Err() != nil:
		return i, err
	case errors.Is(err, context.DeadlineExceeded):
		show.Say("The control plane of `make up` does not answer; using a private one. `make down` ends it.")
	case errors.Is(err, plane.ErrNoSupervisor):
		show.Say("The control plane of `make up` is gone: %s.", goneBecause(err))
		show.Say("Using a private one. `make up` starts a new lasting one.")
	default:
		show.Say("The control plane of `make up` is not used: %v.", err)
		show.Say("Using a private one. `make down` and `make up` make a new lasting one.")
	}
	return nil, nil
}

// shared joins the control plane whose kubeconfig another program gave us. It must be one of ours: a tutorial must not
// touch any other by accident.
func shared(ctx context.Context, kubeconfig string) (*Instance, error) {
	from := filepath.Dir(kubeconfig)
	p, err := plane.ReadOwn(from)
	if err != nil {
		return nil, fmt.Errorf("%s=%s is not the kubeconfig of a control plane of this repository: unset it; to use "+
			"a cluster of your own, set CLUSTER=kubeconfig and KUBECONFIG (%w)", SharedEnv, kubeconfig, err)
	}
	i, err := join(ctx, p, from)
	if err != nil {
		return nil, fmt.Errorf("the control plane of %s=%s is gone: unset the variable, or run the command that sets "+
			"it again (%w)", SharedEnv, kubeconfig, err)
	}
	return i, nil
}

// withControllers starts kube-controller-manager in a control plane that somebody else started without it.
func (i *Instance) withControllers(ctx context.Context, wanted bool, show term.Display) error {
	if !wanted || i.Controllers {
		return nil
	}
	err := func() error {
		assets, err := build.Ensure(ctx, show, plane.KubeControllerManager)
		if err != nil {
			return err
		}
		_, err = plane.Ask(ctx, i.Dir, plane.Request{Op: plane.OpControllers, Assets: assets})
		return err
	}()
	if err != nil {
		return errors.Join(fmt.Errorf("start kube-controller-manager: %w", err), i.Close())
	}
	i.Controllers = true
	return nil
}

// goneBecause says in words for people why a plane that was there does not answer.
func goneBecause(err error) string {
	if errors.Is(err, plane.ErrNoSupervisor) {
		return "its supervisor does not run any more (killed, or the machine was restarted)"
	}
	return err.Error()
}
