package supervisor

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// leashFolder is the folder of a run directory with one link per server to the supervisor's own binary. A process that
// was started by such a link is that server's leash: envtest believes it to be the server.
const leashFolder = "leash"

// AsLeash is to be called first in main. When this process is a leash it runs the server and does not return.
func AsLeash() {
	link := os.Args[0]
	folder := filepath.Dir(link)
	if filepath.Base(folder) != leashFolder {
		return
	}
	os.Exit(holdLeash(filepath.Dir(folder), plane.Component(filepath.Base(link)), os.Args[1:]))
}

// holdLeash runs the server with args until it ends or the supervisor's connection does, and returns the exit code.
//
// The connection is the leash: the kernel closes it when the supervisor ends in any way. The server stays in this
// process's group, so that the supervisor can also end it when this process is killed.
func holdLeash(run string, server plane.Component, args []string) int {
	// envtest's signals go to the whole group: the server gets them too, and this process has to outlive it. They are
	// caught, not ignored, because a child inherits what is ignored.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)

	conn, err := net.Dial("unix", filepath.Join(run, plane.RunControl))
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %s was not started: its supervisor has ended, or somebody removed the folder "+
			"%s; run the command again\n", server, run)
		return 1
	}
	// The connection is left to the kernel, which closes it when this process is gone.
	out, in := json.NewEncoder(conn), json.NewDecoder(conn)
	var order plane.Reply
	if slices.Equal(args, []string{"--help"}) {
		// envtest asks a server which flags it has before it starts it.
		if out.Encode(plane.Request{Op: plane.OpHelp, Server: server}) != nil ||
			in.Decode(&order) != nil {
			return 1
		}
		fmt.Fprintln(os.Stderr, syscall.Exec(order.Run, append([]string{order.Run}, args...), os.Environ()))
		return 1
	}
	if err := out.Encode(plane.Request{Op: plane.OpLeash, Server: server, PID: os.Getpid()}); err != nil {
		return 1
	}
	if err := in.Decode(&order); err != nil || order.Run == "" {
		return 1 // the supervisor is stopping
	}

	runtime.LockOSThread() // what Linux calls the death of a parent is the death of the thread that forked
	cmd := exec.Command(order.Run, args...)
	cmd.Env = serverEnv()
	cmd.Dir = run // where etcd's socket of a relative path is to be, and what else a server leaves
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = diesWithParent()
	if err := cmd.Start(); err != nil {
		status := fmt.Sprintf("this machine can't run it (%v): remove the file, so that it is built anew, or unset "+
			"KUBEBUILDER_ASSETS", err)
		out.Encode(plane.Request{Op: plane.OpExited, Status: status})
		return 1
	}
	go follow(in, cmd.Process)
	out.Encode(plane.Request{Op: plane.OpStarted, PID: cmd.Process.Pid})
	cmd.Wait()
	out.Encode(plane.Request{Op: plane.OpExited, Status: cmd.ProcessState.String()})
	return 0
}

// serverEnv is our environment without etcd's variables: each of its flags has one, and those of a shell that is meant
// for another etcd would change ours.
func serverEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "ETCD_") })
}

// follow passes on the supervisor's signals, and kills the server when the supervisor is gone.
func follow(orders *json.Decoder, server *os.Process) {
	for {
		var order plane.Reply
		if err := orders.Decode(&order); err != nil {
			server.Kill()
			return
		}
		switch order.Signal {
		case "term":
			server.Signal(syscall.SIGTERM)
		case "kill":
			server.Kill()
		}
	}
}
