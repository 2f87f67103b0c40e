package scenario

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// partEnv is the environment variable that has this program play a controller that gets it wrong, in a process of its
// own.
const partEnv = "SCRATCH_15_PART"

// The parts.
const (
	PartParent  = "parent"  // starts a command itself
	PartForgets = "forgets" // does not wait for the children that it has been given
	PartReaps   = "reaps"   // waits for any child
)

// Part is such a process.
type Part struct {
	PID int

	cmd   *exec.Cmd
	input io.Closer
	lines *bufio.Scanner
	over  bool
}

// StartPart starts one of the parts.
func StartPart(ctx context.Context, name string) (*Part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Part{cmd: exec.CommandContext(ctx, self)}
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), partEnv+"="+name), os.Stderr
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.lines = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.PID = p.cmd.Process.Pid
	return p, nil
}

// Read reads one line of what it says.
func (p *Part) Read(into any) error {
	if !p.lines.Scan() {
		return fmt.Errorf("the part has ended without a word: %w", errors.Join(p.lines.Err(), io.ErrUnexpectedEOF))
	}
	return json.Unmarshal(p.lines.Bytes(), into)
}

// End is kill -9. It may be called again.
func (p *Part) End() {
	if !p.over {
		p.over = true
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // which says that it was killed
	}
}

// runIfPart plays a part if the program was started as one, and ends it.
func runIfPart() {
	play, ok := map[string]func() (any, error){
		PartParent: playParent, PartForgets: playForgets, PartReaps: playReaps,
	}[os.Getenv(partEnv)]
	if !ok {
		return
	}
	says, err := play()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(says)
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or the demo has ended
	os.Exit(0)
}

// playParent starts a command, and says which pid it has.
func playParent() (any, error) {
	c := exec.Command("sh", "-c", "sleep 1; exit 3")
	err := c.Start()
	if err != nil {
		return nil, err
	}
	return c.Process.Pid, nil
}

// playForgets becomes the parent of children that have ended, and says how many stay.
func playForgets() (any, error) {
	if err := adoptOrphans(); err != nil {
		return fmt.Sprint(err), nil
	}
	for range 20 {
		if err := exec.Command("sh", "-c", "true & exit 0").Run(); err != nil {
			return nil, err
		}
	}
	n := 0
	for end := time.Now().Add(20 * time.Second); n < 20 && time.Now().Before(end); { // each has to begin and to end
		var err error
		if n, err = zombies(); err != nil {
			return nil, err
		}
	}
	return fmt.Sprintf("%d zombies: ended, and nobody has asked how", n), nil
}

// zombies counts the children of this process that have ended, and for which nobody has waited.
func zombies() (n int, err error) {
	out, err := exec.Command("ps", "-A", "-o", "ppid=,stat=").Output()
	if err != nil {
		return 0, fmt.Errorf("ask ps: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == strconv.Itoa(os.Getpid()) && strings.HasPrefix(words[1], "Z") {
			n++
		}
	}
	return n, nil
}

// playReaps waits for any child that ends, and meanwhile for one that it has started, and says what comes of that.
func playReaps() (any, error) {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGCHLD)
	go func() {
		for range ended {
			for pid := 1; pid > 0; {
				pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			}
		}
	}()
	for n := 1; n <= 10_000; n++ {
		c := exec.Command("sh", "-c", "exit 3")
		out, err := c.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := c.Start(); err != nil {
			return nil, err
		}
		_, _ = io.Copy(io.Discard, out) // as one does: first all that it prints, and then its end
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) {
			return fmt.Sprintf("it was started %d times until Wait said: %v", n, err), nil
		}
	}
	return nil, errors.New("no exit code was lost in 10,000 starts")
}
