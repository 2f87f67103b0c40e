package grader

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// buildMemory is what the compiler and the linker may hold. They need 200 MB for an exercise under the race detector,
// and more than a gigabyte where all that its tests need is still to be compiled, side by side.
const buildMemory = 1536 << 20

// otherBuilds is how many times as long as the compiler of exercise.go another process of the build may take: to link a
// test on controller-runtime under the race detector is five seconds of work, and more on a slow machine.
const otherBuilds = 10

// coldBuild is how long the first build may take, which compiles all that the tests need: minutes, on a slow machine.
const coldBuild = 20 * time.Minute

// compile runs the go command with the variant's overlay. The build of one exercise takes a second of processor time
// when all else is compiled, and a type can be written in forty lines that no compiler comes to an end with: so each
// run of the compiler may take limit. When one takes longer that is not the compiler of exercise.go, what the build
// needs besides that is compiled, once, without that limit, and it has another try.
//
// The limit is not one of all runs together: those that came to their end are in the build cache, and a build that had
// been stopped would have more time left when it is tried again. A verdict does not depend on how often it was asked
// for.
func (v variant) compile(ctx context.Context, args []string, limit time.Duration) (out string, f *Failure, err error) {
	b := bound{wall: limit, memory: buildMemory, own: filepath.Join(v.scratch, "exercise.go")}
	if v.pristine {
		b.memory = math.MaxInt64 // it is our own
	}
	if cpuKnown { // a busy machine takes longer, and not more
		b.cpu, b.others, b.wall = limit, otherBuilds*limit, coldBuild
	}
	for {
		warm := v.isWarm()
		out, passed, err := v.goBuild(ctx, args, b)
		switch {
		case passed == overMemory && warm:
			return out, compilerFailure("the compiler needs less than "+bytesText(buildMemory),
				"it took more, and was stopped"), nil
		case passed == within:
			return out, nil, err
		case warm || passed == overOwn && !v.pristine:
			return out, compilerFailure(fmt.Sprintf("exercise.go compiles within %v", limit),
				"the compiler was still at work, and was stopped"), nil
		}
		if err := v.warm(ctx); err != nil {
			return "", nil, err
		}
	}
}

func compilerFailure(expected, happened string) *Failure {
	return &Failure{Reason: ReasonCompile, Expected: expected, Happened: happened}
}

// goBuild runs the go command once. Its error is an *exec.ExitError when the build fails.
func (v variant) goBuild(ctx context.Context, args []string, b bound) (string, over, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = v.exercise.course.Root
	environment, err := goEnvironment(ctx)
	if err != nil {
		return "", within, err
	}
	cmd.Env = append(environment, "TMPDIR="+v.scratch, "GOTMPDIR="+v.scratch) // goes away with the scratch folder
	out := &limitedBuffer{max: 1 << 20, full: func() {}}
	cmd.Stdout, cmd.Stderr = out, out
	passed, err := runGroup(ctx, cmd, b)
	var exit *exec.ExitError
	if passed == within && err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		err = fmt.Errorf("start the go command: %w", err)
	}
	return out.text(), passed, err
}

// warmed holds the exercises whose dependencies this process has compiled.
var warmed sync.Map

func (v variant) warmKey() string { return fmt.Sprint(v.exercise.Dir(), v.race) }

func (v variant) isWarm() bool {
	_, ok := warmed.Load(v.warmKey())
	return ok
}

// warm builds the exercise's stub, and so all that its tests need.
func (v variant) warm(ctx context.Context) error {
	given, err := v.exercise.given()
	if err != nil {
		return err
	}
	stub := v
	stub.source, stub.pristine = given.stub, true
	if stub.scratch, err = os.MkdirTemp(v.scratch, "warm-"); err != nil {
		return err
	}
	if _, err := stub.build(ctx, coldBuild); err != nil {
		return err
	}
	warmed.Store(v.warmKey(), true)
	return nil
}

// gaveUp finds what the compiler or the linker says when it is they who fail, and not the code.
var gaveUp = regexp.MustCompile(`(?m)^.*(goroutine stack exceeds|internal compiler error|out of memory|signal: killed|` +
	`too large|overflow).*$`)

// crashFailure is for code that the compiler can't bear: a million brackets, an array larger than the machine.
func crashFailure(out string) *Failure {
	said := gaveUp.FindString(out)
	if said == "" {
		return nil
	}
	if _, text, ok := strings.Cut(said, ": "); ok {
		said = text
	}
	return compilerFailure("exercise.go compiles", "the compiler gives up: "+oneLine(said))
}
