package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// plugin is a kubeconfig with which kubectl runs a program.
const plugin = `current-context: controllers-from-scratch
contexts: [{name: controllers-from-scratch, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, interactiveMode: Never}}}]
`

// A folder that looks like a control plane, as an archive may hold it, gets no kubectl to run with the kubeconfig in
// it. A script stands for kubectl.
func TestAHandmadeControlPlaneIsNotUsed(t *testing.T) {
	for _, name := range []string{"a socket", "a link to one"} {
		t.Run(name, func(t *testing.T) {
			temp, err := os.MkdirTemp("/tmp", "ku")
			must(t, err)
			t.Cleanup(func() { os.RemoveAll(temp) })
			state, assets := filepath.Join(temp, "state"), filepath.Join(temp, "assets")
			ran := filepath.Join(temp, "ran")
			handmade := filepath.Join(temp, "cfs-"+strconv.Itoa(os.Getuid()), "handmade")
			for _, dir := range []string{state, assets, handmade} {
				must(t, os.MkdirAll(dir, 0o700))
			}
			said := plane.Plane{
				Dir: handmade, Kubeconfig: filepath.Join(state, "kubeconfig"), Lasting: state, Version: "\x1b[2J",
				Server: "https://127.0.0.1:1", EtcdMetrics: "http://127.0.0.1:1", Expires: time.Now().Add(time.Hour),
			}
			must(t, said.WriteTo(state))
			must(t, os.WriteFile(said.Kubeconfig, []byte(plugin), 0o600))
			must(t, os.WriteFile(filepath.Join(handmade, plane.RunLock), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(assets, "kubectl"), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755))
			socket := filepath.Join(handmade, plane.RunControl)
			if name != "a socket" {
				must(t, os.Symlink(filepath.Join(temp, "foreign"), socket))
				socket = filepath.Join(temp, "foreign")
			}
			answer(t, socket, plane.Reply{Plane: &said})

			t.Setenv("TMPDIR", temp)
			t.Setenv(plane.StateEnv, state)
			t.Setenv(local.SharedEnv, "")
			t.Setenv("KUBEBUILDER_ASSETS", assets)
			code, err := run(t.Context(), []string{"get", "cm"})
			if code != 1 || err == nil || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("kubectl: %d, %q", code, err)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("kubectl was run with the kubeconfig of a folder that somebody made by hand")
			}
		})
	}
}

// answer gives every question the same answer.
func answer(t *testing.T, socket string, reply plane.Reply) {
	t.Helper()
	l, err := net.Listen("unix", socket)
	must(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1000))
			json.NewEncoder(conn).Encode(reply)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
