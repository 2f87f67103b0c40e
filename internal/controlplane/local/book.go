package local

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// Book starts the API server that chapter 03 builds, for this program alone. It is built first if it has to be, which
// takes seconds: nothing of kube-apiserver is in it. Its objects are in memory, and it has no etcd and no controllers.
// It ends with this program, also when this program is killed. A nil show shows nothing.
func Book(ctx context.Context, show term.Display) (*Instance, error) {
	if show == nil {
		show = term.Quiet()
	}
	program, err := build.RunProgram(ctx, show, "./scripts/bookserver")
	if err != nil {
		return nil, err
	}
	k, err := newKeeper(program)
	if err != nil {
		return nil, err
	}
	k.what, k.who = "the book's API server", "its process"
	p, err := k.start(ctx, order{show: show})
	if err != nil {
		return nil, err
	}
	i := own(k, p)
	i.alone = true
	return i, nil
}
