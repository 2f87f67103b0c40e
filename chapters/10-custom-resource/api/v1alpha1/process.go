package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Process is a process of the operating system on the machine where its controller runs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=proc,categories=scratch
// +kubebuilder:printcolumn:name="Command",type=string,JSONPath=`.spec.command`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="PID",type=integer,JSONPath=`.status.pid`
// +kubebuilder:printcolumn:name="Restarts",type=integer,JSONPath=`.status.restarts`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Exit",type=integer,priority=1,JSONPath=`.status.exitCode`
type Process struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says what is to run.
	// +required
	// +kubebuilder:validation:XValidation:rule="self.command == oldSelf.command",message="a process can't become another program: delete this Process, and create one with the new command",fieldPath=".command"
	Spec ProcessSpec `json:"spec"`
	// status says what runs, as the controller saw it last.
	// +optional
	Status ProcessStatus `json:"status,omitzero"`
}

// ProcessList is several Processes, as the API server lists them.
//
// +kubebuilder:object:root=true
type ProcessList struct {
	metav1.TypeMeta `json:""`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Process `json:"items"`
}

// ProcessSpec says what is to run, and what becomes of it when it ends.
//
// +kubebuilder:validation:XValidation:rule="!has(self.maxRestarts) || self.restartPolicy == 'OnFailure'",message="maxRestarts counts restarts after failures, so it needs restartPolicy OnFailure",fieldPath=".maxRestarts"
type ProcessSpec struct {
	// command is the program: a path, or a name that is looked up in the controller's PATH.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="!self.contains(' ')",message="command is one program and no line for a shell: its arguments belong into args"
	Command string `json:"command"`
	// args are its arguments, each as it is: no shell splits or expands them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=4096
	Args []string `json:"args,omitempty"`
	// env are variables of its environment, beside PATH, HOME, LANG and TMPDIR of the machine. What else the controller
	// has in its own environment it does not get.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	Env []EnvVar `json:"env,omitempty"`
	// restartPolicy says whether it is started again when it ends.
	// +optional
	// +kubebuilder:default=Always
	RestartPolicy RestartPolicy `json:"restartPolicy,omitempty"`
	// maxRestarts is how often it is started again after failures before the Process counts as failed. Without it there
	// is no end.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	MaxRestarts *int32 `json:"maxRestarts,omitempty"`
	// gracePeriodSeconds is the time between SIGTERM and SIGKILL, in seconds.
	// +optional
	// +kubebuilder:default=10
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=600
	GracePeriodSeconds *int32 `json:"gracePeriodSeconds,omitempty"`
}

// EnvVar is one variable of an environment.
type EnvVar struct {
	// name is the variable's name.
	// +required
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",message="the name of a variable has letters, digits and underscores, and begins with no digit"
	Name string `json:"name"`
	// value is the variable's value. Without one the variable is empty.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value,omitempty"`
}

// RestartPolicy says whether a process that ended is started again.
//
// +kubebuilder:validation:Enum=Always;OnFailure;Never
type RestartPolicy string

// The restart policies.
const (
	RestartAlways    RestartPolicy = "Always"    // whatever it ended with
	RestartOnFailure RestartPolicy = "OnFailure" // if it ended with another exit code than 0, or by a signal
	RestartNever     RestartPolicy = "Never"
)

// ProcessStatus is what the controller saw last. It can be computed anew from the machine at any time.
type ProcessStatus struct {
	// observedGeneration is the generation of the spec that the rest of the status is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// phase sums the status up, for people. Programs read the conditions.
	// +optional
	Phase Phase `json:"phase,omitempty"`
	// pid is the process's number, while it runs.
	// +optional
	PID *int32 `json:"pid,omitempty"`
	// startedAt is when it was started last.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// exitCode is what it ended with last; 128 and the signal's number if a signal ended it. If nobody knows how it
	// ended, there is none, and the condition Ready has the reason ExitUnknown.
	// +optional
	ExitCode *int32 `json:"exitCode,omitempty"`
	// restarts is how often it was started again.
	// +optional
	Restarts int32 `json:"restarts,omitempty"`
	// conditions are Ready and Stalled.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Phase is a status in one word.
//
// +kubebuilder:validation:Enum=Pending;Running;Restarting;Terminating;Succeeded;Failed
type Phase string

// The phases.
const (
	PhasePending     Phase = "Pending"     // not started yet
	PhaseRunning     Phase = "Running"     // it runs
	PhaseRestarting  Phase = "Restarting"  // it ended, and is about to be started again
	PhaseTerminating Phase = "Terminating" // it is being stopped
	PhaseSucceeded   Phase = "Succeeded"   // it ended with 0, and stays ended
	PhaseFailed      Phase = "Failed"      // it ended otherwise, or can't be started, and stays so
)
