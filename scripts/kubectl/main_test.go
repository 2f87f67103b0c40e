package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

func TestNeedsNone(t *testing.T) {
	for _, line := range []string{"", "help get", "version --client", "version --client=true", "get -h"} {
		if !needsNone(strings.Fields(line)) {
			t.Errorf("kubectl %s needs no control plane of ours", line)
		}
	}
	for _, line := range []string{"get cm", "version", "exec pod -- tool --help", "delete ns x --help=false",
		"delete ns x -h=false", "version --client=false", "version --client --client=false"} {
		if needsNone(strings.Fields(line)) {
			t.Errorf("kubectl %s would use the user's own cluster", line)
		}
	}
}

// TestTheReadersOwnClusterIsNotReached has a script stand for kubectl, which without KUBECONFIG uses ~/.kube/config.
func TestTheReadersOwnClusterIsNotReached(t *testing.T) {
	assets, said := t.TempDir(), filepath.Join(t.TempDir(), "said")
	script := "#!/bin/sh\necho \"$KUBECONFIG $KUBERNETES_MASTER$KUBERNETES_SERVICE_HOST\" >" + said + "\n"
	must(t, os.WriteFile(filepath.Join(assets, "kubectl"), []byte(script), 0o755))
	t.Setenv("KUBEBUILDER_ASSETS", assets)
	t.Setenv("KUBECONFIG", "")
	t.Setenv("KUBERNETES_MASTER", "https://production")
	t.Setenv("KUBERNETES_SERVICE_HOST", "production")
	t.Setenv(local.SharedEnv, "/shared")
	for line, want := range map[string]string{
		"delete ns x --help=false":             "/shared",
		"delete ns x -h=false":                 "/shared",
		"version --client=false":               "/shared",
		"exec pod -- t --kubeconfig x":         "/shared",
		"get cm -l --help":                     os.DevNull, // to kubectl, --help is the value of -l
		"get cm -l --kubeconfig /x":            os.DevNull,
		"get cm --kubeconfig /x":               os.DevNull,
		"get --help":                           os.DevNull,
		"get cm --kubeconfig=":                 "",
		"get cm --kubeconfig":                  "",
		"--kubeconfig /x get cm --kubeconfig=": "",
	} {
		os.Remove(said)
		_, err := run(t.Context(), strings.Fields(line))
		if (err != nil) != (want == "") {
			t.Errorf("kubectl %s: %v", line, err)
		}
		if got, _ := os.ReadFile(said); strings.TrimSpace(string(got)) != want {
			t.Errorf("kubectl %s: it is run with KUBECONFIG and a pod's server %q, not %q", line, got, want)
		}
	}
}

func TestWithoutAControlPlane(t *testing.T) {
	_, err := fromReport(&local.Report{State: local.Absent})
	if err == nil || !strings.Contains(err.Error(), "make up") {
		t.Errorf("without a control plane: %v", err)
	}
	_, err = fromReport(&local.Report{State: local.Gone, Why: "is gone: killed"})
	if err == nil || !strings.Contains(err.Error(), "is gone: killed") {
		t.Errorf("with one that was killed: %v", err)
	}
	got, err := fromReport(&local.Report{State: local.Running,
		Plane: &plane.Plane{Kubeconfig: "/k"}})
	if err != nil || got != "/k" {
		t.Errorf("with one that runs: %q, %v", got, err)
	}
}

// TestRunsTheBinaryOnTheSharedControlPlane has a script stand for kubectl.
func TestRunsTheBinaryOnTheSharedControlPlane(t *testing.T) {
	assets := t.TempDir()
	said := filepath.Join(t.TempDir(), "said")
	script := "#!/bin/sh\necho \"$KUBECONFIG $@\" >" + said + "\nexit 3\n"
	if err := os.WriteFile(filepath.Join(assets, "kubectl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBEBUILDER_ASSETS", assets)
	t.Setenv("KUBECONFIG", "/production")
	t.Setenv(local.SharedEnv, "/shared")
	code, err := run(t.Context(), []string{"get", "cm"})
	if code != 3 || err != nil {
		t.Errorf("kubectl exited with 3, this with %d, %v", code, err)
	}
	if got, err := os.ReadFile(said); string(got) != "/shared get cm\n" || err != nil {
		t.Errorf("kubectl was run as %q, %v", got, err)
	}
}

func TestChosen(t *testing.T) {
	for line, want := range map[string]string{
		"get cm": "", "get cm --kubeconfig /x": "/x", "--kubeconfig=/x get cm": "/x", "get cm --kubeconfig": "",
		"--kubeconfig /x get cm --kubeconfig=": "", "exec pod -- tool --kubeconfig x": "",
	} {
		if got, _ := chosen(strings.Fields(line)); got != want {
			t.Errorf("kubectl %s: %q, not %q", line, got, want)
		}
	}
}
