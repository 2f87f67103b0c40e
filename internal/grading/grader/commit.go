package grader

import (
	"context"
	"os/exec"
	"strings"
)

// Commit is the commit of git that the course's folder is at, or "" where git knows none: in an unpacked archive, or in
// a folder below that of another repository.
func (c Course) Commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "-C", c.Dir, "rev-parse", "--show-prefix", "HEAD").Output()
	prefix, commit, ok := strings.Cut(string(out), "\n")
	if err != nil || !ok || prefix != "" {
		return ""
	}
	return strings.TrimSpace(commit)
}
